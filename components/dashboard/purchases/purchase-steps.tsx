import type { useTranslations } from 'next-intl'
import type { Output } from '@/lib/platform/api/endpoint'
import type { getAdminPurchaseIntent } from '@/lib/platform/api/purchases'
import { Sentence } from '@/components/ui/sentence'
import { Time } from '@/components/ui/time'
import type { Step } from '../forms/steps'
import { whyUnresolved } from './why-unresolved'

/** A purchase as the organization sees it. */
export type AdminPurchase = Output<typeof getAdminPurchaseIntent>

type Translator = ReturnType<typeof useTranslations<'dashboard.purchases'>>

/** The past, present and future steps of a purchase. */
export function purchaseStepsOf(purchase: AdminPurchase, t: Translator): Step[] {
  const begun: Step = {
    name: t('steps.begun'),
    state: 'done',
    at: purchase.created_at,
    note: t('steps.reserved'),
  }
  if (!wasConfirmed(purchase) && isOver(purchase)) return [begun, unpaidStep(purchase, t)]
  const paid: Step = wasConfirmed(purchase)
    ? { name: purchase.price === '0' ? t('steps.ordered') : t('steps.paid'), state: 'done', at: purchase.confirmed_at }
    : unpaidStep(purchase, t)
  return [begun, paid, ...deliverySteps(purchase, t), ...refundSteps(purchase, t)]
}

const isOver = ({ status }: AdminPurchase) => status === 'EXPIRED' || status === 'CANCELLED'

const wasConfirmed = ({ status, confirmed_at }: AdminPurchase) =>
  confirmed_at !== null || status === 'CONFIRMED' || status === 'UNRESOLVED' || status === 'REFUNDED'

/** How far the delivery is: what was refunded before isn't delivered, and that is no failure. */
export const deliveryStateOf = ({
  status,
  fulfillment_status,
}: Pick<AdminPurchase, 'status' | 'fulfillment_status'>) =>
  status === 'REFUNDED' && fulfillment_status === 'EXCEPTION' ? status : fulfillment_status

const wasRefunded = ({ status, payment }: AdminPurchase) =>
  status === 'REFUNDED' || payment?.state === 'REFUNDING' || payment?.state === 'REFUNDED'

function unpaidStep(purchase: AdminPurchase, t: Translator): Step {
  if (isOver(purchase))
    return {
      name: purchase.status === 'EXPIRED' ? t('steps.ranOut') : t('steps.givenUp'),
      state: 'failed',
      at: purchase.status === 'EXPIRED' ? purchase.expires_at : null,
      note: t('steps.notPaid'),
    }
  return {
    name: t('steps.paid'),
    state: 'now',
    note: <Sentence>{t.rich('steps.keptUntil', { moment: () => <Time at={purchase.expires_at} /> })}</Sentence>,
  }
}

function deliverySteps(purchase: AdminPurchase, t: Translator): Step[] {
  const { status, fulfillment_status: fulfillment, completed_at, delivery, failure } = purchase
  if (fulfillment === 'COMPLETED') return [{ name: t('steps.delivered'), state: 'done', at: completed_at }]
  if (status === 'REFUNDED' && !failure) return [] // what is refunded before it is delivered hasn't failed
  if (fulfillment === 'EXCEPTION' || status === 'UNRESOLVED')
    return [{ name: t('steps.notDelivered'), state: 'failed', note: delivery.failure ?? failure }]
  if (isOver(purchase)) return [{ name: t('steps.takenBack'), state: 'failed', note: t('steps.notClaimed') }]
  if (wasRefunded(purchase)) return []
  if (!wasConfirmed(purchase)) return [{ name: t('steps.delivered'), state: 'todo', note: null }]
  return [{ name: t('steps.delivered'), state: 'now', note: t(`steps.waits.${purchase.fulfillment_method}`) }]
}

function refundSteps(purchase: AdminPurchase, t: Translator): Step[] {
  const { status, payment } = purchase
  if (wasRefunded(purchase))
    return [
      { name: t('steps.refunded'), state: status === 'REFUNDED' ? 'done' : 'now', at: payment?.refunded_at ?? null },
    ]
  if (status === 'CONFIRMED' && purchase.refunded_quantity > 0n)
    return [
      {
        name: t('steps.refundedInPart'),
        state: 'done',
        note: t('steps.partOf', {
          part: Number(purchase.refunded_quantity),
          count: Number(purchase.quantity),
        }),
      },
    ]
  if (status !== 'UNRESOLVED') return []
  return [
    {
      name: payment?.state === 'DISPUTED' ? t('steps.disputed') : t('steps.notRefunded'),
      state: 'failed',
      note: whyUnresolved(purchase) ?? t('unresolved'),
    },
  ]
}
