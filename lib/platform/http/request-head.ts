/**
 * The parts of a request that are read besides its body. A Request of the Fetch standard has them too, but making one
 * costs more than many answers.
 */
export type RequestHead = { method: string; url: string; headers: { get: (name: string) => string | null } }

/**
 * A request with its body, which is read once: `bytes` throws body_too_large, and invalid_request when the client
 * breaks off.
 */
export type SentRequest = RequestHead & { bytes: (maxBytes: number) => Promise<Buffer> }
