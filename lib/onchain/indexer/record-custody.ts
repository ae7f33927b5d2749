import { Prisma } from '../../../generated/prisma/client.ts'
import type { WorkerContext } from '../../platform/auth/context.ts'
import { repinTransfers } from '../transactions/repin-transfers.ts'

/** Tokens that came into our operators' hands, and those that left them. */
export type CustodyChange = { came: string[]; went: string[] }

type Touching = { itemId: string; networkId: number; fromAddress: string; toAddress: string }

/** The accounts that are ours on a network, those of earlier keys among them. */
export async function operatorsOn(tx: WorkerContext, networkId: number): Promise<ReadonlySet<string>> {
  const lanes = await tx.sql<{ operator: string }>(
    Prisma.sql`SELECT operator FROM operator_lanes WHERE network_id = ${networkId}`,
  )
  return new Set(lanes.map(({ operator }) => operator))
}

/** Writes down which operator has the token of an item that these moves took from, or to, one of ours. Owners are up to date when it is called. */
export async function recordCustodyOfMoves(
  tx: WorkerContext,
  moves: readonly Touching[],
  operators: ReadonlySet<string>,
): Promise<CustodyChange> {
  const touched = moves.filter(({ fromAddress, toAddress }) => operators.has(fromAddress) || operators.has(toAddress))
  return recordCustody(tx, [...new Set(touched.map(({ itemId }) => itemId))])
}

/** The same for items, whatever moved them. A token counts that our own contract can move: ERC-721, of one organization, not soulbound. */
export async function recordCustody(tx: WorkerContext, itemIds: readonly string[]): Promise<CustodyChange> {
  if (itemIds.length === 0) return { came: [], went: [] }
  const changed = await tx.sql<{ id: string; kept_by: string | null }>(Prisma.sql`
    UPDATE items i SET kept_by = now.operator
    FROM (
      SELECT i.id, (
        SELECT o.address FROM item_owners o JOIN operator_lanes l ON l.network_id = c.network_id AND l.operator = o.address
        WHERE o.item_id = i.id AND o.quantity = 1 ORDER BY o.address LIMIT 1) AS operator
      FROM items i JOIN collections c ON c.id = i.collection_id
      WHERE i.id = ANY(${[...itemIds]}::uuid[]) AND c.token_type = 'ERC721' AND c.deployment_type = 'PLATFORM' AND NOT c.soulbound
    ) now
    WHERE i.id = now.id AND i.kept_by IS DISTINCT FROM now.operator
    RETURNING i.id::text, i.kept_by`)
  const came = changed.filter((row) => row.kept_by !== null).map(({ id }) => id)
  await repinTransfers(tx, came)
  return { came, went: changed.filter((row) => row.kept_by === null).map(({ id }) => id) }
}
