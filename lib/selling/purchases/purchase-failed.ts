import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { continuePurchase } from '../../platform/jobs/jobs.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { advancePurchase } from './advance-purchase.ts'

/** Records that part of a purchase can't be delivered any more, and writes the job that continues it. */
export async function purchaseFailed(tx: Context, intent: PurchaseIntent, reason: string): Promise<PurchaseIntent> {
  // A dispute stays the stated reason.
  const failure = intent.status === 'UNRESOLVED' ? (intent.failure ?? reason) : reason
  const after =
    intent.fulfillmentStatus === 'EXCEPTION'
      ? intent
      : await advancePurchase(tx, intent, { fulfillmentStatus: 'EXCEPTION' }, { failure, completedAt: null }, reason)
  await enqueue(tx, continuePurchase, { intent_id: intent.id }, { key: intent.id })
  return after
}
