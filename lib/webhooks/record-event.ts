import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../auth/context.ts'
import { plain } from '../audit/record-audit.ts'
import { newId } from '../core/id.ts'

/** What integrators are told (gaps.md 7, "Events out"). */
export type EventType =
  | 'item.minted'
  | 'item.transferred'
  | 'item.burned'
  | 'listing.created'
  | 'listing.completed'
  | 'listing.cancelled'
  | 'purchase.confirmed'
  | 'purchase.fulfilled'
  | 'purchase.refunded'
  | 'claim.created'
  | 'claim.redeemed'
  | 'claim.delivered'
  | 'collection.deployed'

/**
 * Writes an event in the transaction of its cause. `key` names the cause: the same cause, replayed after a reorg or a
 * crash, writes nothing more. Answers whether it was the first time.
 */
export async function recordEvent(tx: Context, type: EventType, key: string, data: object): Promise<boolean> {
  const { count } = await tx.db.event.createMany({
    data: [{ id: newId(), organizationId: tx.organizationId, type, key, data: plain(data), createdAt: tx.now() }],
    skipDuplicates: true,
  })
  return count > 0
}

export type EventRecord = { organizationId: string; type: EventType; key: string; data: object }

/** The same for many at once, of any organizations: for the indexer, which writes whole ranges of blocks in one statement. */
export async function recordEvents(tx: Context, events: readonly EventRecord[]): Promise<void> {
  if (events.length === 0) return
  await tx.sql(Prisma.sql`
    INSERT INTO events (id, organization_id, type, key, data, created_at)
    SELECT e.id, e.organization_id, e.type, e.key, e.data, ${tx.now().toISOString()}::timestamptz
    FROM unnest(
      ${events.map(() => newId())}::uuid[],
      ${events.map(({ organizationId }) => organizationId)}::uuid[],
      ${events.map(({ type }) => type)}::text[],
      ${events.map(({ key }) => key)}::text[],
      ${events.map(({ data }) => JSON.stringify(plain(data)))}::text[]::jsonb[]
    ) AS e(id, organization_id, type, key, data)
    ON CONFLICT (organization_id, type, key) DO NOTHING`)
}
