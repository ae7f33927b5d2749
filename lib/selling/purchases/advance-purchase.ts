import type { FulfillmentStatus, IntentStatus, Prisma, PurchaseIntent } from '../../../generated/prisma/client.ts'
import { changedMeanwhile, type StateTable, stateTable } from '../../records/audit/advance-rows.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'

/**
 * The states of a purchase. It may be paid after its end, and the chain's facts come at any time; only a refund is
 * final. A dispute that the seller wins lets it continue, and so does an answer of the provider about a payment of
 * which nothing was known. A free one that is revoked, or that nobody redeems, ends without money.
 */
const PURCHASE = stateTable<IntentStatus>('purchase', 'purchase_intent.advanced', {
  PENDING: ['CONFIRMED', 'EXPIRED', 'CANCELLED', 'UNRESOLVED'],
  CONFIRMED: ['EXPIRED', 'CANCELLED', 'UNRESOLVED', 'REFUNDED'],
  EXPIRED: ['CONFIRMED', 'UNRESOLVED', 'REFUNDED'],
  CANCELLED: ['CONFIRMED', 'UNRESOLVED', 'REFUNDED'],
  UNRESOLVED: ['CONFIRMED', 'EXPIRED', 'CANCELLED', 'REFUNDED'],
  REFUNDED: [],
})

/** The states of its delivery. EXCEPTION: not all units can be delivered, and the payment is refunded. */
const NEXT_FULFILLMENT: StateTable<FulfillmentStatus>['next'] = {
  PENDING: ['ASSIGNED', 'COMPLETED', 'EXCEPTION'],
  ASSIGNED: ['COMPLETED', 'EXCEPTION'],
  COMPLETED: ['ASSIGNED', 'EXCEPTION'],
  EXCEPTION: ['PENDING', 'COMPLETED'],
}

type Change = Omit<
  Prisma.PurchaseIntentUncheckedUpdateManyInput,
  'id' | 'organizationId' | 'status' | 'fulfillmentStatus'
>
type Step = { status?: IntentStatus; fulfillmentStatus?: FulfillmentStatus }

/**
 * Moves a purchase one step, with what changes beside it. The only writer of both its states. `detail` is shown in its
 * timeline.
 */
export async function advancePurchase(
  tx: Context,
  intent: PurchaseIntent,
  { status = intent.status, fulfillmentStatus = intent.fulfillmentStatus }: Step,
  change: Change = {},
  detail?: string,
): Promise<PurchaseIntent> {
  const may = status === intent.status || PURCHASE.next[intent.status].includes(status)
  const mayFulfil =
    fulfillmentStatus === intent.fulfillmentStatus ||
    NEXT_FULFILLMENT[intent.fulfillmentStatus].includes(fulfillmentStatus)
  if (!may || !mayFulfil)
    throw new AppError(
      'conflict',
      `A purchase that is ${intent.status} and ${intent.fulfillmentStatus} can't become ${status} ` +
        `and ${fulfillmentStatus}.`,
    )
  const [after] = await tx.db.purchaseIntent.updateManyAndReturn({
    where: { id: intent.id, status: intent.status, fulfillmentStatus: intent.fulfillmentStatus },
    data: { ...change, status, fulfillmentStatus },
  })
  if (!after) throw changedMeanwhile(PURCHASE)
  await recordAudit(tx, {
    action: 'purchase_intent.advanced',
    subject: { type: 'purchase_intent', id: intent.id },
    before: { status: intent.status, fulfillment_status: intent.fulfillmentStatus },
    after: { status, fulfillment_status: fulfillmentStatus, ...(detail && { detail }) },
  })
  return after
}
