import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { changeAllowList as endpoint } from '../../platform/api/allow-lists.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { type Identity, identitiesOf } from './buyer-units.ts'
import { countAllowances } from './count-allowances.ts'
import { lockListing } from './lock-listing.ts'
import { assertUpdatable } from './update-listing.ts'

/** Adds buyers to a listing's allow list, or removes them. Open purchases continue. Throws `listing_over`. */
export function changeAllowList(
  ctx: Context,
  id: string,
  { action, eth_addresses, email_addresses }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  return inTransaction(ctx, async (tx) => {
    const listing = await lockListing(tx, id)
    assertUpdatable(listing, tx.now())
    const change = action === 'ADD' ? addAllowances : removeAllowances
    const changed = await change(tx, id, eth_addresses ?? [], email_addresses ?? [])
    await recordAudit(tx, {
      action: 'listing.allow_list_changed',
      subject: { type: 'listing', id },
      after: { action, changed },
    })
    return { changed, total_results: await countAllowances(tx, id) }
  })
}

const identities = (addresses: readonly string[], emails: readonly string[]): Identity[] => [
  ...addresses.flatMap((address) => identitiesOf({ address })),
  ...emails.flatMap((email) => identitiesOf({ email })),
]

/** Adds buyers to the allow list. Returns how many were new. */
export async function addAllowances(
  tx: Context,
  listingId: string,
  addresses: readonly string[],
  emails: readonly string[],
): Promise<number> {
  const added = identities(addresses, emails)
  if (added.length === 0) return 0
  // One statement for thousands, with two values instead of five for each.
  const [row] = await tx.sql<{ count: number }>(Prisma.sql`
    WITH added AS (
      INSERT INTO listing_allowances (organization_id, listing_id, kind, identity, created_at)
      SELECT ${tx.organizationId}::uuid, ${listingId}::uuid, a.kind::"IdentityKind", a.identity,
        ${tx.now().toISOString()}::timestamptz
      FROM unnest(${added.map(({ kind }) => kind)}::text[], ${added.map(({ identity }) => identity)}::text[])
        AS a (kind, identity)
      ORDER BY a.kind, a.identity ON CONFLICT DO NOTHING RETURNING 1)
    SELECT count(*)::int AS count FROM added`)
  return row!.count
}

async function removeAllowances(
  tx: Context,
  listingId: string,
  addresses: readonly string[],
  emails: readonly string[],
): Promise<number> {
  const given = [
    { kind: 'ADDRESS' as const, identity: { in: [...addresses] } },
    { kind: 'EMAIL' as const, identity: { in: [...emails] } },
  ]
  const { count } = await tx.db.listingAllowance.deleteMany({ where: { listingId, OR: given } })
  return count
}
