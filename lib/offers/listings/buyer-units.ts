import { type IdentityKind, type Listing, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { clientNetwork } from '../../core/ip-address.ts'
import type { Standing } from './eligibility.ts'
import { mailboxOf } from '../../core/mailbox.ts'

/** A buyer: an EIP-55 address, an email, or both. */
export type Buyer = { email?: string | null; address?: string | null }
export type Identity = { kind: IdentityKind; identity: string }

/** The identities of a buyer as allow lists have them. */
export const identitiesOf = ({ email, address }: Buyer): Identity[] => [
  ...(address ? [{ kind: 'ADDRESS' as const, identity: address }] : []),
  ...(email ? [{ kind: 'EMAIL' as const, identity: email.toLowerCase() }] : []),
]

/** The identities of a buyer that `max_per_user` counts: the address, and the mailbox behind the email. */
export const countedIdentitiesOf = ({ email, address }: Buyer): Identity[] =>
  identitiesOf({ address: address ?? null, email: email ? mailboxOf(email) : null })

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

/** The standing of each of a buyer's identities at a listing, for the client that asks. */
export const standingsOf = (ctx: Context, listing: Policy, buyer: Buyer): Promise<Standing[]> => {
  const counted = countedIdentitiesOf(buyer)
  return Promise.all(
    identitiesOf(buyer).map(async (identity, at) => ({
      kind: identity.kind,
      listed: await isListed(ctx, listing, identity),
      claimed: await countUnits(ctx, listing.id, counted[at]!),
    })),
  )
}

/**
 * The units that count for an identity at a listing: those of confirmed purchases; and of open ones, those that this client made
 * and those whose buyer has proved the address. What others opened in the name of an address or a mailbox doesn't count, except
 * vouchers that were given up: the address can still redeem them.
 */
async function countUnits(ctx: Context, listingId: string, { kind, identity }: Identity): Promise<bigint> {
  const isBuyer =
    kind === 'EMAIL' ? Prisma.sql`i.buyer_mailbox = ${identity}` : Prisma.sql`i.buyer_address = ${identity}`
  const canRedeem =
    kind === 'ADDRESS' ? Prisma.sql`i.provider = 'MINT_VOUCHER' AND i.status <> 'PENDING'` : Prisma.sql`false`
  const [row] = await ctx.sql<{ units: bigint }>(Prisma.sql`
    SELECT (coalesce((SELECT quantity FROM listing_buyers
        WHERE listing_id = ${listingId}::uuid AND kind = ${kind}::"IdentityKind" AND identity = ${identity}), 0)
      + coalesce((SELECT sum(i.quantity) FROM purchase_intents i
        WHERE i.listing_id = ${listingId}::uuid AND i.units_state = 'OPEN' AND ${isBuyer}
          AND (i.client_network = ${clientNetwork(ctx.clientAddress)} OR i.buyer_proved OR (${canRedeem}))), 0))::bigint AS units`)
  return row!.units
}

/**
 * Whether each identity may have so many more units, counted as above. The caller has locked the listing, so that the counts
 * can't change until its transaction ends.
 */
export async function mayHaveUnits(
  tx: Context,
  listingId: string,
  identities: readonly Identity[],
  quantity: bigint,
  max: bigint,
): Promise<boolean> {
  for (const identity of identities) if ((await countUnits(tx, listingId, identity)) + quantity > max) return false
  return true
}

/**
 * Adds confirmed units to the count of each identity. Returns false, and changes nothing, when one of them would exceed `max`. The
 * caller has locked the listing.
 */
export async function addBuyerUnits(
  tx: Context,
  listing: { id: string; organizationId: string },
  identities: readonly Identity[],
  quantity: bigint,
  max: bigint | null,
): Promise<boolean> {
  for (const [at, { kind, identity }] of identities.entries()) {
    const [counted] = await tx.sql(Prisma.sql`
      INSERT INTO listing_buyers AS b (organization_id, listing_id, kind, identity, quantity)
      SELECT ${listing.organizationId}::uuid, ${listing.id}::uuid, ${kind}::"IdentityKind", ${identity}, ${quantity}::bigint
      WHERE ${max}::bigint IS NULL OR ${quantity}::bigint <= ${max}::bigint
      ON CONFLICT (listing_id, kind, identity) DO UPDATE SET quantity = b.quantity + ${quantity}::bigint
        WHERE ${max}::bigint IS NULL OR b.quantity + ${quantity}::bigint <= ${max}::bigint
      RETURNING identity`)
    if (counted) continue
    await subtractBuyerUnits(tx, listing.id, identities.slice(0, at), quantity)
    return false
  }
  return true
}

/** Subtracts confirmed units from the count of each identity. */
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
