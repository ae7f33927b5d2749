import { type Address, getAddress } from 'viem'
import { isHidden } from '../../catalog/collections/reveal.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import { asDeployed } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { assertNotSuspended } from '../../platform/auth/suspended.ts'
import { provedNetworks } from '../wallets/wallet-proof.ts'

/** The units of an item that somebody has, by an address that they proved. */
export type Holding = {
  address: string
  itemId: string
  organizationId: string
  collectionId: string
  networkId: number | null
  isUnique: boolean
  /** Its own perks would tell what it is. */
  isHidden: boolean
  /**
   * Units that the address owns both in the latest block and in the last final one: neither whoever sold them a moment
   * ago has them, nor a buyer too early.
   */
  units: bigint
  finalBlock: bigint
}

const COLLECTION = columns('c', 'Collection', [
  'organizationId',
  'networkId',
  'tokenType',
  'following',
  'revealStrategy',
  'revealedAt',
])
type Row = RowOf<typeof COLLECTION> & {
  collectionId: string
  late: boolean
  finalBlock: string
  latest: string
  final: string
}

/**
 * $1 the item, $2 the address, $3 the network where it was proved (NULL: all), $4 networks that are never final, $5 how
 * deep blocks count there. Ids of history rows begin with the number of their block.
 */
const HOLDING: Statement = {
  name: 'perk_holding',
  text: `SELECT ${COLLECTION}, c.id AS "collectionId", at.final_block::text AS "finalBlock",
      o.quantity::text AS latest, (o.quantity - coalesce(moved.units, 0))::text AS final,
      c.network_id IN (SELECT late_networks()) AS late
    FROM item_owners o JOIN items i ON i.id = o.item_id JOIN collections c ON c.id = i.collection_id
      JOIN chain_cursors k ON k.network_id = c.network_id
    LEFT JOIN unnest($4::int[], $5::int[]) AS never (network_id, depth) ON never.network_id = c.network_id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN never.depth IS NULL THEN k.rescanned_to ELSE greatest(k.number - never.depth + 1, -1) END
        AS final_block) at
    CROSS JOIN LATERAL (
      SELECT sum(CASE WHEN h.to_address = o.address THEN h.quantity ELSE 0 END
        - CASE WHEN h.from_address = o.address THEN h.quantity ELSE 0 END) AS units
      FROM item_history h
      WHERE h.item_id = i.id AND h.id >= rpad(lpad(to_hex(at.final_block + 1), 12, '0'), 32, '0')::uuid
        AND (h.from_address = o.address OR h.to_address = o.address)) moved
    WHERE o.item_id = $1::uuid AND o.address = $2 AND o.quantity > 0 AND i.locked_at IS NOT NULL
      AND c.deployment_status = 'SUCCESS'
      AND ($3::int IS NULL OR c.network_id = $3::int)`,
}

/** Whoever asks, as what they prove says. */
export type HolderRequest = { anyone: Context; address: string; itemId: string; proof: string | null | undefined }

/**
 * Finds the caller's units of an item. Throws `signature_invalid` without a good proof, `not_found` where the address
 * has no unit in the latest block, `suspended`, and `unavailable` while blocks are missing that could say that it has
 * none any more.
 */
export async function findHolding(asked: HolderRequest): Promise<Holding> {
  const ctx = asDeployed(asked.anyone)
  const holding = await readHolding(ctx, asked)
  await assertNotSuspended(ctx, holding)
  return holding
}

/**
 * Finds the caller's units of an item as `findHolding` does, without asking for a suspension; in a transaction, as of
 * this statement.
 */
export async function readHolding(
  ctx: Context,
  { address: given, itemId, proof }: Omit<HolderRequest, 'anyone'>,
): Promise<Holding> {
  const address = getAddress(given)
  const proved = await provedOr404(ctx, address, itemId, proof)
  const { chains, keys } = ctx.ports
  // Tokens in the custody of our operators are nobody's yet.
  if (keys.operators.includes(address)) throw notFound()
  const never = [...chains.values()].map(({ network }) => network).filter(({ finality }) => finality === 'never')
  const [row] = await ctx.rows<Row>(
    HOLDING,
    itemId,
    address,
    typeof proved === 'number' ? proved : null,
    never.map(({ id }) => id),
    never.map(({ confirmations }) => confirmations),
  )
  if (!row) throw notFound()
  if (row.late || !row.following || !chains.has(row.networkId!))
    throw new AppError('unavailable', 'We are behind with the network of this item. Try again in a few minutes.', {
      retryAfterSeconds: 60,
    })
  const [latest, final] = [BigInt(row.latest), BigInt(row.final)]
  const least = latest < final ? latest : final
  return {
    address,
    itemId,
    organizationId: row.organizationId,
    collectionId: row.collectionId,
    networkId: row.networkId,
    isUnique: row.tokenType === 'ERC721',
    isHidden: isHidden(row),
    units: least > 0n ? least : 0n,
    finalBlock: BigInt(row.finalBlock),
  }
}

const KNOWN: Statement = {
  name: 'item_of_perks',
  text: `SELECT 1 FROM items i JOIN collections c ON c.id = i.collection_id
    WHERE i.id = $1::uuid AND i.locked_at IS NOT NULL AND c.deployment_status = 'SUCCESS'`,
}

/** Where the proof is good. Without a good one, an item that doesn't exist is not found, as everywhere. */
async function provedOr404(ctx: Context, address: Address, itemId: string, proof: HolderRequest['proof']) {
  try {
    const proved = provedNetworks(address, proof)
    if (proved !== null) return proved
    throw new AppError('signature_invalid', 'Only whoever proves the address sees this: sign a challenge first.')
  } catch (error) {
    const [known] = await ctx.rows(KNOWN, itemId)
    throw known ? error : notFound()
  }
}

/** Throws `conflict` while the arrival could still be undone. */
export function assertHeld({ units }: Holding): void {
  if (units === 0n)
    throw new AppError(
      'conflict',
      'The item has only just arrived. What comes with it opens once its arrival is final.',
    )
}

/** Which perks come with the item. */
export const comingWith = ({ itemId, collectionId, isHidden }: Holding) => ({
  OR: [{ itemId: null, collectionId }, ...(isHidden ? [] : [{ itemId }])],
})
