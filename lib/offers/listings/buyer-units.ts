import { type IdentityKind, type Listing, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Standing } from './eligibility.ts'

/** A buyer: an EIP-55 address, an email, or both. */
export type Buyer = { email?: string | null; address?: string | null }
export type Identity = { kind: IdentityKind; identity: string }

/** The identities of a buyer; `max_per_user` applies to each of them. */
export const identitiesOf = ({ email, address }: Buyer): Identity[] => [
  ...(address ? [{ kind: 'ADDRESS' as const, identity: address }] : []),
  ...(email ? [{ kind: 'EMAIL' as const, identity: email.toLowerCase() }] : []),
]

type Policy = Pick<Listing, 'id' | 'policyType' | 'snapshotId'>

/** Whether a listing's policy admits one of these identities. FCFS admits everybody. */
export async function isAdmitted(ctx: Context, listing: Policy, identities: readonly Identity[]): Promise<boolean> {
  if (listing.policyType === 'FCFS') return true
  for (const identity of identities) if (await isListed(ctx, listing, identity)) return true
  return false
}

async function isListed(
  ctx: Context,
  { id, policyType, snapshotId }: Policy,
  { kind, identity }: Identity,
): Promise<boolean> {
  if (policyType === 'ALLOW_LIST')
    return (
      (await ctx.db.listingAllowance.findFirst({
        where: { listingId: id, kind, identity },
        select: { identity: true },
      })) !== null
    )
  if (policyType !== 'SNAPSHOT' || snapshotId === null || kind !== 'ADDRESS') return false
  return (
    (await ctx.db.snapshotHolder.findFirst({ where: { snapshotId, address: identity }, select: { address: true } })) !==
    null
  )
}

/** The standing of each identity at a listing. */
export const standingsOf = (ctx: Context, listing: Policy, identities: readonly Identity[]): Promise<Standing[]> =>
  Promise.all(
    identities.map(async ({ kind, identity }) => {
      const bought = await ctx.db.listingBuyer.findFirst({
        where: { listingId: listing.id, kind, identity },
        select: { quantity: true },
      })
      return { kind, listed: await isListed(ctx, listing, { kind, identity }), claimed: bought?.quantity ?? 0n }
    }),
  )

/**
 * Adds units to the count of each identity. Returns false when one of them would exceed `max`; the caller must then roll back, since
 * earlier identities are counted already.
 */
export async function addBuyerUnits(
  tx: Context,
  listing: { id: string; organizationId: string },
  identities: readonly Identity[],
  quantity: bigint,
  max: bigint | null,
): Promise<boolean> {
  for (const { kind, identity } of identities) {
    const [counted] = await tx.sql(Prisma.sql`
      INSERT INTO listing_buyers AS b (organization_id, listing_id, kind, identity, quantity)
      SELECT ${listing.organizationId}::uuid, ${listing.id}::uuid, ${kind}::"IdentityKind", ${identity}, ${quantity}::bigint
      WHERE ${max}::bigint IS NULL OR ${quantity}::bigint <= ${max}::bigint
      ON CONFLICT (listing_id, kind, identity) DO UPDATE SET quantity = b.quantity + ${quantity}::bigint
        WHERE ${max}::bigint IS NULL OR b.quantity + ${quantity}::bigint <= ${max}::bigint
      RETURNING identity`)
    if (!counted) return false
  }
  return true
}

/** Subtracts units from the count of each identity. */
export async function subtractBuyerUnits(
  tx: Context,
  listingId: string,
  identities: readonly Identity[],
  quantity: bigint,
): Promise<void> {
  for (const { kind, identity } of identities)
    await tx.sql(Prisma.sql`
      UPDATE listing_buyers SET quantity = greatest(0, quantity - ${quantity}::bigint)
      WHERE listing_id = ${listingId}::uuid AND kind = ${kind}::"IdentityKind" AND identity = ${identity}`)
}
