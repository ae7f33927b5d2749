import { type Chain, type ChainNode, ChainUnavailable } from '../../ports/chain/chain.ts'

/**
 * Nodes disagree about a fact that can't be taken back once it was acted on, or too few of them answer. Whoever needs
 * it asks again later.
 */
export class NotProved extends Error {
  override readonly name = 'NotProved'
}

/**
 * Every node's answer, each by itself. Throws NotProved, not ChainUnavailable, where too few answer: other rows may
 * need no second node.
 */
export async function askSeveral<T>(chain: Chain, ask: (node: ChainNode) => Promise<T>): Promise<T[]> {
  try {
    return await chain.atSeveralNodes(ask)
  } catch (error) {
    if (error instanceof ChainUnavailable) throw new NotProved(error.message, { cause: error })
    throw error
  }
}

/** How many of these answers count as proof: two, or the only one where the settings name one node. */
export const enoughOf = (answers: readonly unknown[]): number => Math.min(2, answers.length)

/**
 * The answer that at least two nodes give alike, or that of the only node that the settings name. null: there is none.
 * A node that answers null gives no answer. `keyOf`: the part that is the same in answers that are alike.
 */
export async function agreedAnswer<T>(
  chain: Chain,
  ask: (node: ChainNode) => Promise<T | null>,
  keyOf: (answer: T) => string,
): Promise<T | null> {
  const answers = await askSeveral(chain, ask)
  const given = answers.flatMap((answer) => (answer === null ? [] : [answer]))
  const [first, second] = [...Map.groupBy(given, keyOf).values()].sort((a, b) => b.length - a.length)
  if (!first || first.length < enoughOf(answers) || first.length === second?.length) return null
  return first[0]!
}
