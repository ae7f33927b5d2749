import { type Collection, Prisma } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, within, type WorkerContext } from '../../platform/auth/context.ts'
import { numberedTitle } from '../../catalog/items/numbered-title.ts'
import { newId } from '../../core/id.ts'

/** Tokens that become items in one round. */
const TOKENS_PER_ROUND = 1_000
/** The largest id that the counter of token ids can hold. */
const MAX_COUNTED_ID = 2n ** 62n

type Seen = Pick<Collection, 'name' | 'tokenType'> & {
  organization_id: string
  collection_id: string
  token_id: string
}

/**
 * Inserts an item for each token of a foreign contract that has none: locked, with the token's id. Its metadata is read
 * later; until then its title is its number. Only for confirmed blocks.
 */
export async function adoptTokens(tx: WorkerContext, networkId: number, confirmedTo: bigint): Promise<number> {
  const seen = await tx.sql<Seen>(Prisma.sql`
    SELECT DISTINCT h.organization_id::text, h.collection_id::text, h.token_id, c.name, c.token_type::text AS "tokenType"
    FROM item_history h JOIN collections c ON c.id = h.collection_id
    WHERE h.item_id IS NULL AND h.network_id = ${networkId} AND h.block_number <= ${confirmedTo} AND c.deployment_type = 'EXTERNAL'
      AND NOT EXISTS (SELECT 1 FROM items i WHERE i.collection_id = h.collection_id AND i.token_id = h.token_id)
    ORDER BY h.collection_id::text, h.token_id LIMIT ${TOKENS_PER_ROUND}`)
  for (const [collectionId, tokens] of Map.groupBy(seen, ({ collection_id }) => collection_id))
    await within(tx, tokens[0]!.organization_id, (own) => createItems(own, collectionId, tokens))
  return seen.length
}

async function createItems(tx: Context, collectionId: string, tokens: readonly Seen[]): Promise<void> {
  const now = tx.now()
  const ids = tokens.map(({ token_id }) => BigInt(token_id)).sort((a, b) => (a < b ? -1 : 1))
  await tx.db.item.createMany({
    data: tokens.map(({ name, tokenType, token_id, organization_id }) => ({
      id: newId(),
      organizationId: organization_id,
      collectionId,
      attributes: { title: numberedTitle(name, token_id) },
      tokenId: token_id,
      lockedAt: now,
      maxSupply: tokenType === 'ERC721' ? 1n : null,
      metadataDueAt: now,
      createdAt: now,
    })),
    skipDuplicates: true,
  })
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
