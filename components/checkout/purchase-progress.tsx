import { Stops } from '@/components/ui/stops'
import type { Stop } from '@/components/ui/stops'
import type { PurchaseView, Scene } from './purchase'

const paid: Stop = { name: 'Paid', hint: 'We are looking for your payment.' }
const reserved: Stop = { name: 'Reserved', hint: 'It is set aside for you.' }
const mailbox: Stop = { name: 'In your mailbox', hint: 'Open the link we sent you.' }
const preparing: Stop = { name: 'Preparing', hint: 'We are handing it to the network.' }
const onItsWay: Stop = { name: 'On its way', hint: 'The network is making it permanent.' }
const yours: Stop = { name: 'Yours', hint: 'It is in your wallet.' }

/** The stops of a purchase, by its payment and delivery method. */
export function stopsOf({
  provider,
  fulfillment_method: method,
}: Pick<PurchaseView, 'provider' | 'fulfillment_method'>): Stop[] {
  const first = provider === 'CARD_PROVIDER' || provider === 'MINT_VOUCHER' ? paid : reserved
  if (method === 'EMAIL') return [first, mailbox, onItsWay, yours]
  if (method === 'VOUCHER') return [first, yours]
  return [first, preparing, onItsWay, yours]
}

/** The index of the current stop. */
export function reachedOf(stops: Stop[], scene: Scene): number {
  const at = (stop: Stop) => Math.max(0, stops.indexOf(stop))
  switch (scene) {
    case 'mailbox':
      return at(mailbox)
    case 'preparing':
      return stops.includes(preparing) ? at(preparing) : at(onItsWay)
    case 'on_its_way':
      return at(onItsWay)
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
  const stops = stopsOf(purchase)
  const reached = reachedOf(stops, scene)
  return <Stops stops={stops} reached={reached} />
}
