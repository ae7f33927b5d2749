import { StateBadge } from '@/components/ui/badge'
import type { Tone } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { Time } from '@/components/ui/time'
import { amountOf } from '@/lib/core/money'
import { PROVIDER_LABELS } from '../listings/selling-labels'
import type { AdminPurchase } from './purchase-steps'

type PaymentState = NonNullable<AdminPurchase['payment']>['state']

const STATES = {
  CREATING: { label: 'Being made', tone: 'neutral' },
  OPEN: { label: 'Not paid yet', tone: 'info' },
  CANCELLING: { label: 'Being cancelled', tone: 'neutral' },
  CANCELLED: { label: 'Cancelled, nothing was charged', tone: 'neutral' },
  SUCCEEDED: { label: 'Paid', tone: 'positive' },
  REFUNDING: { label: 'Being refunded', tone: 'info' },
  REFUNDED: { label: 'Refunded', tone: 'neutral' },
  DISPUTED: { label: 'Disputed by the buyer’s bank', tone: 'danger' },
} satisfies Record<PaymentState, { label: string; tone: Tone }>

/** How a purchase is paid, how far the payment is, and whether it can be refunded. */
export function PaymentCard({ purchase, amount }: { purchase: AdminPurchase; amount: string }) {
  const { payment } = purchase
  return (
    <Card title="Payment">
      <Facts>
        <Fact name="How">{PROVIDER_LABELS[purchase.provider]}</Fact>
        <Fact name="Price">{amount}</Fact>
        {payment && (
          <>
            <Fact name="State">
              <StateBadge state={payment.state} label={STATES[payment.state].label} tone={STATES[payment.state].tone} />
            </Fact>
            {payment.fee !== '0' && (
              <Fact name="Platform’s share">{amountOf(payment.fee, payment.currency, purchase.currency_decimals)}</Fact>
            )}
            {payment.provider_payment_id && (
              <Fact name="At the card provider">
                <span className="flex items-center gap-1">
                  <span className="figures break-all">{payment.provider_payment_id}</span>
                  <CopyButton text={payment.provider_payment_id} label="Copy the payment’s id" />
                </span>
              </Fact>
            )}
            {payment.refunded !== '0' && (
              <Fact name="Refunded so far">
                {amountOf(payment.refunded, payment.currency, purchase.currency_decimals)}
              </Fact>
            )}
            {payment.failure && <Fact name="Last answer">{payment.failure}</Fact>}
            {payment.refunded_at && (
              <Fact name="Refunded">
                <Time at={payment.refunded_at} />
              </Fact>
            )}
          </>
        )}
      </Facts>
      {!purchase.refundable && <p className="mt-3 border-t pt-3 text-sm text-muted">{whyNoRefund(purchase)}</p>}
    </Card>
  )
}

function whyNoRefund({ provider, status, payment, fulfillment_status: fulfillment }: AdminPurchase): string {
  if (provider === 'MINT_VOUCHER')
    return 'It can’t be refunded from here: the buyer’s wallet pays your payout address directly, in the transaction that mints the item.'
  if (provider !== 'CARD_PROVIDER') return 'It was free: there is nothing to refund.'
  if (payment?.state === 'REFUNDED' || status === 'REFUNDED') return 'All of it was refunded.'
  if (payment?.state === 'REFUNDING') return 'The refund is under way.'
  if (payment?.state === 'DISPUTED')
    return 'The buyer’s bank disputes the payment: the money is decided there, and answered at the card provider.'
  if (payment?.state !== 'SUCCEEDED') return 'Nothing was paid: there is nothing to refund.'
  if (fulfillment !== 'COMPLETED')
    return 'It is on its way on the chain right now. Once the chain has decided, it can be refunded.'
  return 'It can’t be refunded now.'
}
