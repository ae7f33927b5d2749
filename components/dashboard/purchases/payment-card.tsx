import { useLocale, useTranslations } from 'next-intl'
import { StateBadge } from '@/components/ui/badge'
import type { Tone } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { Time } from '@/components/ui/time'
import { amountOf } from '@/lib/core/money'
import type { AdminPurchase } from './purchase-steps'

type PaymentState = NonNullable<AdminPurchase['payment']>['state']

const TONES = {
  CREATING: 'neutral',
  OPEN: 'info',
  CANCELLING: 'neutral',
  CANCELLED: 'neutral',
  SUCCEEDED: 'positive',
  REFUNDING: 'info',
  REFUNDED: 'neutral',
  DISPUTED: 'danger',
} satisfies Record<PaymentState, Tone>

/** How a purchase is paid, how far the payment is, and whether it can be refunded. */
export function PaymentCard({ purchase, amount }: { purchase: AdminPurchase; amount: string }) {
  const t = useTranslations('dashboard.purchases')
  const locale = useLocale()
  const { payment } = purchase
  return (
    <Card title={t('payment.title')}>
      <Facts>
        <Fact name={t('payment.how')}>{t(`providers.${purchase.provider}`)}</Fact>
        <Fact name={t('payment.price')}>{amount}</Fact>
        {payment && (
          <>
            <Fact name={t('payment.state')}>
              <StateBadge
                state={payment.state}
                label={t(`payment.states.${payment.state}`)}
                tone={TONES[payment.state]}
              />
            </Fact>
            {payment.fee !== '0' && (
              <Fact name={t('payment.fee')}>
                {amountOf(payment.fee, payment.currency, purchase.currency_decimals, locale)}
              </Fact>
            )}
            {payment.provider_payment_id && (
              <Fact name={t('payment.atProvider')}>
                <span className="flex items-center gap-1">
                  <span className="figures break-all">{payment.provider_payment_id}</span>
                  <CopyButton text={payment.provider_payment_id} label={t('payment.copyId')} />
                </span>
              </Fact>
            )}
            {payment.refunded !== '0' && (
              <Fact name={t('payment.refundedSoFar')}>
                {amountOf(payment.refunded, payment.currency, purchase.currency_decimals, locale)}
              </Fact>
            )}
            {payment.failure && (
              <Fact name={t('payment.lastAnswer')}>
                <span lang="en">{payment.failure}</span>
              </Fact>
            )}
            {payment.refunded_at && (
              <Fact name={t('payment.refunded')}>
                <Time at={payment.refunded_at} />
              </Fact>
            )}
          </>
        )}
      </Facts>
      {!purchase.refundable && (
        <p className="mt-3 border-t pt-3 text-sm text-muted">{t(`payment.noRefund.${whyNoRefund(purchase)}`)}</p>
      )}
    </Card>
  )
}

/** Why it can’t be refunded, as a key of its text. */
function whyNoRefund({ provider, status, payment, fulfillment_status: fulfillment }: AdminPurchase) {
  if (provider === 'MINT_VOUCHER') return 'voucher'
  if (provider !== 'CARD_PROVIDER') return 'free'
  if (payment?.state === 'REFUNDED' || status === 'REFUNDED') return 'refunded'
  if (payment?.state === 'REFUNDING') return 'refunding'
  if (payment?.state === 'DISPUTED') return 'disputed'
  if (payment?.state !== 'SUCCEEDED') return 'unpaid'
  if (fulfillment !== 'COMPLETED') return 'onItsWay'
  return 'other'
}
