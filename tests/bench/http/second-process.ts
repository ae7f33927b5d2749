import { cpuSeconds } from './cpu.ts'
import type { Load, LoadResult } from './load.ts'
import { median } from './median.ts'
import { type Side, type Stack, startBare, startSecondWeb } from './sides.ts'

type Figures = { perSecond: number; cpu: number }

/** Milliseconds of the programs' processor time for a request; `share` is that of two processes in percent of that of one in the same round. */
type OfOneAndTwo = { one: Figures; two: Figures; share: number }
/** `bare`: the same of two bare servers, which have nothing in common but the machine and PostgreSQL. */
export type TwoProcesses = OfOneAndTwo & { bare: OfOneAndTwo }

/** What is asked of both programs, and the bare server that runs already. */
type Asked = { vitrine: Load['requests']; bare: Load['requests']; firstBare: Side }

/** Starts a second process of each program, and sends the same requests to the first one and to both in turn. */
export async function compareTwoProcesses(
  stack: Stack,
  { vitrine, bare, firstBare }: Asked,
  rounds: number,
  run: (side: { url: Load['url'] }, requests: Load['requests']) => Promise<LoadResult>,
): Promise<TwoProcesses> {
  const webs = [{ name: 'vitrine', url: stack.origin, pid: stack.pids.web }, await startSecondWeb(stack)]
  const bares = [firstBare, await startBare(stack.database_url)]
  const measure = async (sides: readonly Side[], requests: Load['requests']): Promise<Figures> => {
    const used = () => sides.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0)
    const before = used()
    const {
      perSecond,
      requests: answered,
      statuses,
      errors,
    } = await run({ url: sides.map(({ url }) => url) }, requests)
    if (errors > 0 || Object.keys(statuses).join() !== '200')
      throw new Error(`Two processes: ${errors} errors, ${JSON.stringify(statuses)}`)
    return { perSecond, cpu: ((used() - before) * 1000) / Math.max(1, answered) }
  }
  const results: Record<'vitrine' | 'bare', { one: Figures; two: Figures }>[] = []
  for (let round = -1; round < rounds; round++) {
    const both = async (sides: readonly Side[], requests: Load['requests']) => ({
      one: await measure(sides.slice(0, 1), requests),
      two: await measure(sides, requests),
    })
    const measured = { vitrine: await both(webs, vitrine), bare: await both(bares, bare) }
    if (round >= 0) results.push(measured) // compiled and connected
  }
  const ofProgram = (program: 'vitrine' | 'bare'): OfOneAndTwo => {
    const own = results.map((result) => result[program])
    const medians = (which: 'one' | 'two'): Figures => ({
      perSecond: median(own.map((result) => result[which].perSecond)),
      cpu: median(own.map((result) => result[which].cpu)),
    })
    return {
      one: medians('one'),
      two: medians('two'),
      share: median(own.map(({ one, two }) => (100 * two.cpu) / one.cpu)),
    }
  }
  return { ...ofProgram('vitrine'), bare: ofProgram('bare') }
}
