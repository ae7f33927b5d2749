import { Prisma, type Suspension } from '../../../generated/prisma/client.ts'
import { inTransaction, within, type SystemContext } from '../../platform/auth/context.ts'
import type { Place } from '../../platform/auth/suspended.ts'
import { newId } from '../../core/id.ts'
import { releaseHeldMails } from '../../messaging/outbox/hold-mail.ts'
import { recordSuspension } from './record-suspension.ts'

/**
 * Suspends an organization, or one of its collections: once this has returned, nothing of it is promised, sold or
 * minted that wasn't signed before. Promises under way are waited for. null: it is suspended already.
 */
export const suspend = (worker: SystemContext, place: Place, reason: string): Promise<Suspension | null> =>
  inTransaction(worker, async (tx) => {
    await lockSuspensions(tx, place)
    if (await findOpen(tx, place)) return null
    const suspension = await tx.db.suspension.create({ data: { id: newId(), ...place, reason, createdAt: tx.now() } })
    await within(tx, place.organizationId, (own) => recordSuspension(own, suspension))
    return suspension
  })

/**
 * Lifts it. What waited goes on by itself: transactions, paid purchases, imports and mails. null: it isn't suspended.
 */
export const unsuspend = (worker: SystemContext, place: Place): Promise<Suspension | null> =>
  inTransaction(worker, async (tx) => {
    await lockSuspensions(tx, place)
    const open = await findOpen(tx, place)
    if (!open) return null
    const ended = await tx.db.suspension.update({ where: { id: open.id }, data: { endedAt: tx.now() } })
    await within(tx, place.organizationId, async (own) => {
      await releaseHeldMails(own)
      await recordSuspension(own, ended)
    })
    return ended
  })

/**
 * Waits for whoever is promising something of the organization, and lets others wait until this transaction has ended.
 */
const lockSuspensions = (tx: SystemContext, { organizationId }: Place) =>
  tx.sql(Prisma.sql`SELECT 1 FROM pg_advisory_xact_lock(suspension_key(${organizationId}::uuid))`)

const findOpen = ({ db }: SystemContext, place: Place): Promise<Suspension | null> =>
  db.suspension.findFirst({ where: { ...place, endedAt: null } })
