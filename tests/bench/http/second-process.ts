import { cpuSeconds } from './cpu.ts'
import type { Load, LoadResult } from './load.ts'
import { median } from './median.ts'
import { type Side, type Stack, startBare, startSecondWeb } from './sides.ts'

type Figures = { perSecond: number; cpu: number }

/**
 * Milliseconds of the programs' processor time for a request; `share` is that of two processes in percent of that of
 * one in the same round.
 */
type OfOneAndTwo = { one: Figures; two: Figures; share: number }
/** As many connections go to the two as to the one, or as many to each of them. */
type OfProgram = Record<'together' | 'each', OfOneAndTwo>
/** `bare`: the same of two bare servers, which have nothing in common but the machine and PostgreSQL. */
export type TwoProcesses = { vitrine: OfProgram; bare: OfProgram }

/** What is asked of both programs, and the bare server that runs already. */
type Asked = { vitrine: Load['requests']; bare: Load['requests']; firstBare: Side }

/** Starts a second process of each program, and sends the same requests to the first one and to both in turn. */
export async function compareTwoProcesses(
  stack: Stack,
  { vitrine, bare, firstBare }: Asked,
  rounds: number,
  run: (side: { url: Load['url'] }, requests: Load['requests'], connectionsTimes: number) => Promise<LoadResult>,
): Promise<TwoProcesses> {
  const webs = [{ name: 'vitrine', url: stack.origin, pid: stack.pids.web }, await startSecondWeb(stack)]
  const bares = [firstBare, await startBare(stack.database_url)]
  const measure = async (
    sides: readonly Side[],
    requests: Load['requests'],
    connectionsTimes = 1,
  ): Promise<Figures> => {
    const used = () => sides.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0)
    const before = used()
    const urls = sides.map(({ url }) => url)
    const { perSecond, requests: answered, statuses, errors } = await run({ url: urls }, requests, connectionsTimes)
    if (errors > 0 || Object.keys(statuses).join() !== '200')
      throw new Error(`Two processes: ${errors} errors, ${JSON.stringify(statuses)}`)
    return { perSecond, cpu: ((used() - before) * 1000) / Math.max(1, answered) }
  }
  type Measured = { one: Figures; together: Figures; each: Figures }
  const results: Record<'vitrine' | 'bare', Measured>[] = []
  for (let round = -1; round < rounds; round++) {
    const all = async (sides: readonly Side[], requests: Load['requests']): Promise<Measured> => ({
      one: await measure(sides.slice(0, 1), requests),
      together: await measure(sides, requests),
      each: await measure(sides, requests, sides.length),
    })
    const measured = { vitrine: await all(webs, vitrine), bare: await all(bares, bare) }
    if (round >= 0) results.push(measured) // compiled and connected
  }
  const ofProgram = (program: 'vitrine' | 'bare'): OfProgram => {
    const own = results.map((result) => result[program])
    const medians = (which: keyof Measured): Figures => ({
      perSecond: median(own.map((result) => result[which].perSecond)),
      cpu: median(own.map((result) => result[which].cpu)),
    })
    const ofTwo = (which: 'together' | 'each'): OfOneAndTwo => ({
      one: medians('one'),
      two: medians(which),
      share: median(own.map((result) => (100 * result[which].cpu) / result.one.cpu)),
    })
    return { together: ofTwo('together'), each: ofTwo('each') }
  }
  return { vitrine: ofProgram('vitrine'), bare: ofProgram('bare') }
}
