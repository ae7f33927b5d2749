import { cpuSeconds } from './cpu.ts'
import type { Load, LoadResult } from './load.ts'
import { median } from './median.ts'
import { type Side, type Stack, startSecondWeb } from './sides.ts'

type Figures = { perSecond: number; cpu: number }

/** Milliseconds of the web processes' processor time for a request; `share` is that of both in percent of that of one in the same round. */
export type TwoProcesses = { one: Figures; two: Figures; share: number }

/** Starts a second web process, and sends the same requests to the first one and to both in turn. */
export async function compareTwoProcesses(
  stack: Stack,
  requests: Load['requests'],
  rounds: number,
  run: (side: Pick<Load, 'url'>, requests: Load['requests']) => Promise<LoadResult>,
): Promise<TwoProcesses> {
  const first: Side = { name: 'vitrine', url: stack.origin, pid: stack.pids.web }
  const second = await startSecondWeb(stack)
  await run(second, requests) // compiled and connected
  const measure = async (...sides: Side[]): Promise<Figures> => {
    const used = () => cpuSeconds(first.pid) + cpuSeconds(second.pid)
    const before = used()
    const {
      perSecond,
      requests: answered,
      statuses,
      errors,
    } = await run({ url: sides.map(({ url }) => url) }, requests)
    if (errors > 0 || Object.keys(statuses).join() !== '200')
      throw new Error(`Two web processes: ${errors} errors, ${JSON.stringify(statuses)}`)
    return { perSecond, cpu: ((used() - before) * 1000) / Math.max(1, answered) }
  }
  const results: { one: Figures; two: Figures }[] = []
  for (let round = 0; round < rounds; round++)
    results.push({ one: await measure(first), two: await measure(first, second) })
  const medians = (which: 'one' | 'two'): Figures => ({
    perSecond: median(results.map((result) => result[which].perSecond)),
    cpu: median(results.map((result) => result[which].cpu)),
  })
  return {
    one: medians('one'),
    two: medians('two'),
    share: median(results.map(({ one, two }) => (100 * two.cpu) / one.cpu)),
  }
}
