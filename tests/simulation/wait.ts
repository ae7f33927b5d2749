/** Waits by the simulated clock, where an actor does. */
export const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))
