/**
 * The result of some work, and the most processor time, in milliseconds, that this thread spent in one turn of its loop
 * meanwhile.
 */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  let longest = 0
  let isOver = false
  let before = cpuMs()
  const look = () => {
    const now = cpuMs()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  const result = await work()
  isOver = true
  look()
  return { result, ms: longest }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
