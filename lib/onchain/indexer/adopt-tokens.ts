import { Prisma } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction, withinTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { numberedTitle } from '../../catalog/items/numbered-title.ts'
import { sweepAny } from '../../platform/jobs/sweep.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { crashPoint } from '../../core/crash.ts'
import { newId } from '../../core/id.ts'
import type { Network } from '../../ports/chain/chain.ts'
import { projectUnmatchedMoves } from './project-logs.ts'

/** Moves of a contract that are adopted in one step, so that the indexer never waits long for its transactions. */
const MOVES_PER_STEP = 500
/** The largest id that the counter of token ids can hold. */
const MAX_COUNTED_ID = 2n ** 62n

const TASK = { kind: 'adopt tokens', failure: 'The tokens of a foreign contract could not be adopted.' } as const

/**
 * Kept between the steps of a loop: by collection, the token id at which its next step begins, since earlier ones have
 * their items; by organization, the collection whose turn was the last one.
 */
export type AdoptionPlaces = Map<string, string>

const EXTERNAL = columns('c', 'Collection', ['id', 'organizationId', 'name', 'tokenType'])
type External = RowOf<typeof EXTERNAL>

/**
 * Inserts an item for each token of a foreign contract that has none, locked and with the token's id, and projects the
 * token's moves, only of confirmed blocks: a bounded number for each organization, whose contracts take turns. Metadata
 * is read later; until then the title is the number. Any number of processes may run this. Returns how many moves were
 * projected.
 */
export async function adoptTokens(
  worker: SystemContext,
  { id: networkId, confirmations }: Pick<Network, 'id' | 'confirmations'>,
  places: AdoptionPlaces = new Map(),
): Promise<number> {
  const cursor = await worker.db.chainCursor.findUnique({ where: { networkId } })
  if (!cursor) return 0
  const confirmedTo = cursor.number - BigInt(confirmations) + 1n
  const waiting = await listWithUnmatched(worker, networkId, confirmedTo)
  const turns = [...Map.groupBy(waiting, ({ organizationId }) => organizationId)].map(([organizationId, own]) => {
    const last = places.get(organizationId) ?? ''
    const next = own.find(({ id }) => id > last) ?? own[0]!
    places.set(organizationId, next.id)
    return next
  })
  let projected = 0
  await sweepAny(worker, TASK, turns, async (collection) => {
    projected += await adoptSome(worker, collection, { networkId, confirmedTo, places })
  })
  return projected
}

/** The order makes PostgreSQL use the index of unmatched moves, whatever its statistics say. */
const listWithUnmatched = (worker: SystemContext, networkId: number, confirmedTo: bigint): Promise<External[]> =>
  worker.sql<External>(Prisma.sql`
    SELECT ${Prisma.raw(EXTERNAL)}
    FROM collections c
    CROSS JOIN LATERAL (
      SELECT 1 FROM item_history h
      WHERE h.network_id = ${networkId} AND h.collection_id = c.id AND h.item_id IS NULL
        AND h.block_number <= ${confirmedTo}
      ORDER BY h.token_id, h.id LIMIT 1) unmatched
    WHERE c.network_id = ${networkId} AND c.deployment_type = 'EXTERNAL' ORDER BY c.id`)

type Step = { networkId: number; confirmedTo: bigint; places: AdoptionPlaces }

async function adoptSome(
  worker: SystemContext,
  collection: External,
  { networkId, confirmedTo, places }: Step,
): Promise<number> {
  const moves = await worker.sql<{ id: string; token_id: string }>(Prisma.sql`
    SELECT h.id::text, h.token_id FROM item_history h
    WHERE h.network_id = ${networkId} AND h.collection_id = ${collection.id}::uuid AND h.item_id IS NULL
      AND h.token_id >= ${places.get(collection.id) ?? ''} AND h.block_number <= ${confirmedTo}
    ORDER BY h.token_id, h.id LIMIT ${MOVES_PER_STEP}`)
  const tokenIds = [...new Set(moves.map(({ token_id }) => token_id))]
  if (tokenIds.length > 0)
    await withinTransaction(worker, collection.organizationId, (tx) => createItems(tx, collection, tokenIds))
  crashPoint('tokens_adopted')
  const ids = moves.map(({ id }) => id)
  const projected = await inTransaction(worker, (tx) => projectUnmatchedMoves(tx, ids))
  if (moves.length === MOVES_PER_STEP) places.set(collection.id, moves.at(-1)!.token_id)
  else places.delete(collection.id)
  return projected
}

async function createItems(tx: Context, collection: External, tokenIds: readonly string[]): Promise<void> {
  const now = tx.now()
  const { id: collectionId, organizationId, name, tokenType } = collection
  const created = await tx.db.item.createManyAndReturn({
    data: tokenIds.map((tokenId) => ({
      id: newId(),
      organizationId,
      collectionId,
      attributes: { title: numberedTitle(name, tokenId) },
      tokenId,
      lockedAt: now,
      maxSupply: tokenType === 'ERC721' ? 1n : null,
      metadataDueAt: now,
      createdAt: now,
    })),
    skipDuplicates: true,
    select: { tokenId: true },
  })
  if (created.length === 0) return
  const ids = created.map(({ tokenId }) => BigInt(tokenId!)).sort((a, b) => (a < b ? -1 : 1))
  await skipIds(tx, collectionId, ids)
  await recordAudit(tx, {
    action: 'items.adopted',
    subject: { type: 'collection', id: collectionId },
    after: { count: ids.length, first_token_id: ids[0], last_token_id: ids.at(-1) },
  })
}

/** Automatic token ids continue after the adopted ones. */
async function skipIds(tx: Context, collectionId: string, ids: readonly bigint[]): Promise<void> {
  const last = ids.findLast((id) => id < MAX_COUNTED_ID)
  if (last !== undefined)
    await tx.db.collection.updateMany({
      where: { id: collectionId, nextTokenId: { lte: last } },
      data: { nextTokenId: last + 1n },
    })
}
