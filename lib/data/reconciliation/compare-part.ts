import { Prisma } from '../../../generated/prisma/client.ts'
import { isDatabaseDown } from '../../db/errors.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { CallUndecided, type Chain, type ChainNode, ChainUnavailable } from '../../ports/chain/chain.ts'
import type { Finding } from './finding.ts'

/** Rows of the books, and the last block that was entered when they were read: they say what the chain said there. */
export type Part<Row> = { at: bigint; hash: string; rows: Row[] }

/** The chain can't be compared with the books. The message says why, for people. */
export class NotCompared extends Error {
  override readonly name = 'NotCompared'
}

/** The columns and tables by which a statement about collections `c` tells at which block its rows were read. */
export const AT = Prisma.sql`k.number AS at, b.hash`
export const AT_CURSOR = Prisma.sql`
  JOIN chain_cursors k ON k.network_id = c.network_id
  JOIN chain_blocks b ON b.network_id = k.network_id AND b.number = k.number`

/**
 * False while moves of item `i`'s token are entered that aren't given to the item yet: its records don't count them.
 */
export const IS_MATCHED = Prisma.sql`
  NOT EXISTS (
    SELECT 1 FROM item_history h
    WHERE h.network_id = c.network_id AND h.collection_id = c.id AND h.token_id = i.token_id AND h.item_id IS NULL)`

/** The rows of a statement that has the columns `AT`; null where there is none. */
export async function readPart<Row>(worker: SystemContext, statement: Prisma.Sql): Promise<Part<Row> | null> {
  const rows = await worker.sql<Row & { at: bigint; hash: string }>(statement)
  return rows[0] ? { at: rows[0].at, hash: rows[0].hash, rows } : null
}

/**
 * Compares a part of the books with the chain at the block up to which they were written. Where they disagree, or a
 * reorg came between, both are read once more, from another node where there is one; only what that finds counts. null:
 * there is no such part.
 */
export async function comparePart<P extends Part<unknown>>(
  chain: Chain,
  read: () => Promise<P | null>,
  compare: (node: ChainNode, part: P) => Promise<Finding[]>,
): Promise<{ part: P; findings: Finding[] } | null> {
  const first = await look(chain, read, compare)
  if (!first || first.findings?.length === 0) return first && { part: first.part, findings: [] }
  const second = await look(chain, read, compare, first.node)
  if (!second?.findings) {
    if (!second) return null
    throw new NotCompared(
      `Block ${second.part.at}, which is entered, isn’t on the chain. ` +
        'Run this again once the worker has followed the reorg.',
    )
  }
  return { part: second.part, findings: second.findings }
}

/** `findings` null: the node has another block where the books end. */
async function look<P extends Part<unknown>>(
  chain: Chain,
  read: () => Promise<P | null>,
  compare: (node: ChainNode, part: P) => Promise<Finding[]>,
  not?: string,
): Promise<{ part: P; node: string; findings: Finding[] | null } | null> {
  const part = await read()
  if (!part) return null
  return readChain(
    chain,
    async (node) => {
      const findings = await compare(node, part).catch(asUnavailable)
      const block = await node.block(part.at)
      if (!block) throw new ChainUnavailable(`${node.name} has no block ${part.at} yet.`)
      return { part, node: node.name, findings: block.hash === part.hash ? findings : null }
    },
    not,
  )
}

/** A node that refuses a call, for one because it has pruned the state of that block: another is asked. */
function asUnavailable(error: unknown): never {
  throw error instanceof CallUndecided ? new ChainUnavailable(error.message, { cause: error }) : error
}

/** Reads from one node. Throws NotCompared when none gives an answer that can be used. */
export async function readChain<T>(chain: Chain, work: (node: ChainNode) => Promise<T>, not?: string): Promise<T> {
  try {
    return await chain.atOneNode(work, not === undefined ? {} : { not })
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    throw new NotCompared(reasonOf(error), { cause: error })
  }
}

function reasonOf(error: unknown): string {
  const messages = new Set<string>()
  for (let one = error; one instanceof Error; one = one.cause) messages.add(one.message)
  return [...messages].join(' ')
}
