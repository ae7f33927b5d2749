import { type IdentityKind, type Listing, Prisma } from '../../../generated/prisma/client.ts'
import type { Statement } from '../../db/statements.ts'
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

/** An identity as allow lists have it, and as `max_per_user` counts it. */
type Asked = Identity & { counted: string }

/**
 * The units that count for an identity are those of confirmed purchases; and of open ones, those that this client ($2) made and those whose
 * buyer has proved the address. What others opened in the name of an address or a mailbox doesn't count, except vouchers that were given
 * up: the address can still redeem them.
 */
const standingsIn = ({ listing, policy, snapshot }: { listing: string; policy: string; snapshot: string }) => `
    SELECT asked.kind, asked.at,
      CASE ${policy}
        WHEN 'ALLOW_LIST' THEN EXISTS (SELECT 1 FROM listing_allowances a
          WHERE a.listing_id = ${listing} AND a.kind = asked.kind AND a.identity = asked.identity)
        WHEN 'SNAPSHOT' THEN asked.kind = 'ADDRESS' AND EXISTS (SELECT 1 FROM snapshot_holders s
          WHERE s.snapshot_id = ${snapshot} AND s.address = asked.identity)
        ELSE false END AS listed,
      (coalesce((SELECT b.quantity FROM listing_buyers b
          WHERE b.listing_id = ${listing} AND b.kind = asked.kind AND b.identity = asked.counted), 0)
        + coalesce((SELECT sum(i.quantity) FROM purchase_intents i
          WHERE asked.kind = 'EMAIL' AND i.listing_id = ${listing} AND i.units_state = 'OPEN' AND i.buyer_mailbox = asked.counted
            AND (i.client_network = $2::text OR i.buyer_proved)), 0)
        + coalesce((SELECT sum(i.quantity) FROM purchase_intents i
          WHERE asked.kind = 'ADDRESS' AND i.listing_id = ${listing} AND i.units_state = 'OPEN' AND i.buyer_address = asked.counted
            AND (i.client_network = $2::text OR i.buyer_proved OR (i.provider = 'MINT_VOUCHER' AND i.status <> 'PENDING'))), 0))::bigint AS claimed
    FROM unnest($3::text[]::"IdentityKind"[], $4::text[], $5::text[]) WITH ORDINALITY AS asked(kind, identity, counted, at)`

const STANDINGS: Statement = {
  name: 'buyer_standings',
  text: `${standingsIn({ listing: '$1::uuid', policy: '$6::text', snapshot: '$7::uuid' })} ORDER BY asked.at`,
}

/** The same with the listing's policy, of `listings l`. */
export const STANDINGS_OF_LISTING = standingsIn({
  listing: 'l.id',
  policy: 'l.policy_type::text',
  snapshot: 'l.snapshot_id',
})

/** What both take: the listing, the client that asks, and the buyer's identities. */
export const standingValuesOf = (ctx: Context, listingId: string, asked: readonly Asked[]) =>
  [
    listingId,
    clientNetwork(ctx.clientAddress),
    asked.map(({ kind }) => kind),
    asked.map(({ identity }) => identity),
    asked.map(({ counted }) => counted),
  ] as const

const readStandings = (ctx: Context, listing: Policy, asked: readonly Asked[]): Promise<Standing[]> =>
  ctx.rows<Standing>(STANDINGS, ...standingValuesOf(ctx, listing.id, asked), listing.policyType, listing.snapshotId)

/** A buyer's identities as standings are asked for. */
export function askedOf(buyer: Buyer): Asked[] {
  const counted = countedIdentitiesOf(buyer)
  return identitiesOf(buyer).map((each, at) => ({ ...each, counted: counted[at]!.identity }))
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
  const listing = { id: listingId, policyType: 'FCFS', snapshotId: null } as const
  const asked = identities.map((each) => ({ ...each, counted: each.identity }))
  const standings = asked.length > 0 ? await readStandings(tx, listing, asked) : []
  return standings.every(({ claimed }) => claimed + quantity <= max)
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
