/** What answers to a GET read of a request: a Request of the Fetch standard has it, and making one costs more than many answers. */
export type RequestHead = { method: string; url: string; headers: { get: (name: string) => string | null } }
