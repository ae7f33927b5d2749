import type { Hex } from 'viem'

/** A log with another last topic, which names a token or who got it. */
export const withOtherTopic = <L extends { topics: Hex[] }>(log: L): L => {
  const last = log.topics.at(-1)!
  return { ...log, topics: log.topics.with(-1, `${last.slice(0, -1)}${last.endsWith('7') ? '8' : '7'}` as Hex) }
}
