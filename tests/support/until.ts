/**
 * Polls until `test` returns a truthy value, and returns it. After the timeout it throws an error that names `what`.
 */
export async function until<T>(
  what: string,
  test: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = 60_000,
  everyMs = 50,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const value = await test()
    if (value) return value
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${timeoutMs / 1000} s.`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
