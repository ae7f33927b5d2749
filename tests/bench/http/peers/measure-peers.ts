import type { LoadResult } from '../load.ts'
import { median } from '../median.ts'
import type { Side } from '../sides.ts'
import type { Peer, Question } from './peer.ts'

export type Measured = LoadResult & { cpu: number; databaseCpu: number }
type Measure = (side: Side, requests: Peer['questions'][Question], amount: number) => Promise<Measured>

/** Medians over the rounds; `times` is how many times as many Vitrine answered in the same round. */
export type PeerFigures = { name: string; perSecond: number; times: number; cpu: number; databaseCpu: number }

/** So many that the program is compiled and its rate known. */
const FIRST = 200

/**
 * Measures peers, all of them at each call, with as many requests as each answers in `seconds`: with a time instead,
 * one would still be working on its last requests while the next side is measured.
 */
export async function measurerOf(
  peers: readonly Peer[],
  question: Question,
  seconds: number,
  measure: Measure,
): Promise<() => Promise<Measured[]>> {
  const amounts = new Map<Peer, number>()
  for (const peer of peers) {
    const { perSecond } = await measure(peer.side, peer.questions[question], FIRST)
    amounts.set(peer, Math.max(FIRST, Math.round(perSecond * seconds)))
  }
  return async () => {
    const results: Measured[] = []
    for (const [peer, amount] of amounts) {
      const result = await measure(peer.side, peer.questions[question], amount)
      if (result.errors > 0 || Object.keys(result.statuses).join() !== '200')
        throw new Error(`${peer.name}: ${result.errors} errors, ${JSON.stringify(result.statuses)}`)
      results.push(result)
    }
    return results
  }
}

export const figuresOf = (
  peers: readonly Peer[],
  rounds: readonly { vitrine: Measured; peers: readonly Measured[] }[],
): PeerFigures[] =>
  peers.map(({ name, version }, at) => ({
    name: `${name} ${version}`,
    perSecond: median(rounds.map(({ peers: results }) => results[at]!.perSecond)),
    times: median(rounds.map(({ vitrine, peers: results }) => vitrine.perSecond / results[at]!.perSecond)),
    cpu: median(rounds.map(({ peers: results }) => results[at]!.cpu)),
    databaseCpu: median(rounds.map(({ peers: results }) => results[at]!.databaseCpu)),
  }))
