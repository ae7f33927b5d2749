import { useTranslations } from 'next-intl'
import { Stops } from '@/components/ui/stops'
import type { PurchaseView, Scene } from './purchase'

/** A stop on the way of a purchase, as a key of `purchase.stops`. */
type PurchaseStop = 'paid' | 'reserved' | 'mailbox' | 'preparing' | 'onItsWay' | 'yours'

/** The stops of a purchase, by its payment and delivery method. */
export function stopsOf({
  provider,
  fulfillment_method: method,
}: Pick<PurchaseView, 'provider' | 'fulfillment_method'>): PurchaseStop[] {
  const first = provider === 'CARD_PROVIDER' || provider === 'MINT_VOUCHER' ? 'paid' : 'reserved'
  if (method === 'EMAIL') return [first, 'mailbox', 'onItsWay', 'yours']
  if (method === 'VOUCHER') return [first, 'yours']
  return [first, 'preparing', 'onItsWay', 'yours']
}

/** The index of the current stop. */
export function reachedOf(stops: readonly PurchaseStop[], scene: Scene): number {
  const at = (stop: PurchaseStop) => Math.max(0, stops.indexOf(stop))
  switch (scene) {
    case 'mailbox':
      return at('mailbox')
    case 'preparing':
      return stops.includes('preparing') ? at('preparing') : at('onItsWay')
    case 'on_its_way':
      return at('onItsWay')
    case 'yours':
      return stops.length - 1
    case 'pay_card':
    case 'pay_wallet':
    case 'confirming':
    case 'refunding':
    case 'refunded':
    case 'unresolved':
    case 'suspended':
    case 'paid_suspended':
    case 'closing':
    case 'expired':
    case 'given_up':
    case 'lapsed':
    case 'failed':
      return 0
  }
}

/** The progress of a purchase. */
export function PurchaseProgress({ purchase, scene }: { purchase: PurchaseView; scene: Scene }) {
  const t = useTranslations('purchase.stops')
  const stops = stopsOf(purchase)
  return (
    <Stops stops={stops.map((stop) => ({ name: t(stop), hint: t(`${stop}Hint`) }))} reached={reachedOf(stops, scene)} />
  )
}
