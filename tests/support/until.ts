/** Waits for a condition that another process brings about, with a deadline that names what was awaited. */
export async function until<T>(
  what: string,
  test: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  patienceMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const value = await test()
    if (value) return value
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${patienceMs / 1000} s.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
