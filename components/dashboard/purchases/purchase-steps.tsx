import type { Output } from '@/lib/platform/api/endpoint'
import type { getAdminPurchaseIntent } from '@/lib/platform/api/purchases'
import { Time } from '@/components/ui/time'
import type { Step } from '../forms/steps'
import { whyUnresolved } from '../listings/selling-labels'

/** A purchase as the organization sees it. */
export type AdminPurchase = Output<typeof getAdminPurchaseIntent>

/** What happened to a purchase, what is happening and what will. */
export function purchaseStepsOf(purchase: AdminPurchase): Step[] {
  const begun: Step = { name: 'Begun', state: 'done', at: purchase.created_at, note: 'The units were reserved.' }
  if (!wasConfirmed(purchase) && isOver(purchase)) return [begun, unpaidStep(purchase)]
  const paid: Step = wasConfirmed(purchase)
    ? { name: purchase.price === '0' ? 'Ordered' : 'Paid', state: 'done', at: purchase.confirmed_at }
    : unpaidStep(purchase)
  return [begun, paid, ...deliverySteps(purchase), ...refundSteps(purchase)]
}

const isOver = ({ status }: AdminPurchase) => status === 'EXPIRED' || status === 'CANCELLED'

const wasConfirmed = ({ status, confirmed_at }: AdminPurchase) =>
  confirmed_at !== null || status === 'CONFIRMED' || status === 'UNRESOLVED' || status === 'REFUNDED'

const wasRefunded = ({ status, payment }: AdminPurchase) =>
  status === 'REFUNDED' || payment?.state === 'REFUNDING' || payment?.state === 'REFUNDED'

function unpaidStep(purchase: AdminPurchase): Step {
  if (isOver(purchase))
    return {
      name: purchase.status === 'EXPIRED' ? 'Ran out' : 'Given up',
      state: 'failed',
      at: purchase.status === 'EXPIRED' ? purchase.expires_at : null,
      note: 'It was not paid. The units are available again.',
    }
  return {
    name: 'Paid',
    state: 'now',
    note: (
      <>
        The units are kept until <Time at={purchase.expires_at} />.
      </>
    ),
  }
}

function deliverySteps(purchase: AdminPurchase): Step[] {
  const { status, fulfillment_status: fulfillment, completed_at, delivery, failure } = purchase
  if (fulfillment === 'COMPLETED') return [{ name: 'Delivered', state: 'done', at: completed_at }]
  if (fulfillment === 'EXCEPTION' || status === 'UNRESOLVED')
    return [{ name: 'Not delivered', state: 'failed', note: delivery.failure ?? failure }]
  if (isOver(purchase))
    return [{ name: 'Taken back', state: 'failed', note: 'Nobody claimed it. The units are available again.' }]
  if (wasRefunded(purchase)) return []
  if (!wasConfirmed(purchase)) return [{ name: 'Delivered', state: 'todo', note: null }]
  return [{ name: 'Delivered', state: 'now', note: WAITS[purchase.fulfillment_method] }]
}

function refundSteps(purchase: AdminPurchase): Step[] {
  const { status, payment } = purchase
  if (wasRefunded(purchase))
    return [{ name: 'Refunded', state: status === 'REFUNDED' ? 'done' : 'now', at: payment?.refunded_at ?? null }]
  if (status === 'CONFIRMED' && purchase.refunded_quantity > 0n)
    return [
      {
        name: 'Refunded in part',
        state: 'done',
        note: `${purchase.refunded_quantity} of ${purchase.quantity} units could not be delivered and were refunded.`,
      },
    ]
  if (status !== 'UNRESOLVED') return []
  return [
    {
      name: payment?.state === 'DISPUTED' ? 'Disputed' : 'Not refunded',
      state: 'failed',
      note: whyUnresolved(purchase),
    },
  ]
}

const WAITS = {
  EMAIL: 'It waits for the recipient, who has a link by email.',
  TRANSFER: 'It is on its way to the buyer’s address.',
  VOUCHER: 'The buyer’s own transaction mints it.',
} satisfies Record<AdminPurchase['fulfillment_method'], string>
