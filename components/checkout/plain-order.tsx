import { useTranslations } from 'next-intl'
import { AddressInput } from '@/components/ui/address-input'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { SellerFacts } from '@/components/shared/seller'
import { Step } from '@/components/shared/step'
import { waysOf } from './listing'
import type { ListingView, Provider } from './listing'
import { OrderedItem, OrderSummary } from './order-summary'
import type { Subject } from './subject'
import { SubjectCase } from './subject-case'

type Props = {
  listing: ListingView
  subject: Subject
  seller: SellerFacts | null
  /** The code of the error of the last order. */
  refused: string | null
  /** One for each time the page is shown: an order that is sent twice is one. */
  idempotencyKey: string
  order: (provider: Provider) => (form: FormData) => Promise<void>
}

/** Orders what is free, in a browser without script. */
export function PlainOrder({ listing, subject, seller, refused, idempotencyKey, order }: Props) {
  const t = useTranslations('checkout')
  const tOrder = useTranslations('order')
  const tErrors = useTranslations('errors')
  const ways = waysOf(listing)
  const [email, address] = [ways.get('email'), ways.get('address')]
  const most = Math.min(Number(listing.max_quantity_per_tx), Number(listing.quantity_remaining))
  const quantity = most > 1 && (
    <Field label={t('quantity')} className="max-w-32">
      <Input name="quantity" type="number" inputMode="numeric" min={1} max={most} defaultValue={1} />
    </Field>
  )
  /** The page's own text about a code, else the text of every page. */
  function whyRefused(code: string): string {
    const key = code as 'other' // any code, so it is asked for first
    if (t.has(`plain.${key}`)) return t(`plain.${key}`)
    const shared = code as 'sold_out'
    return tErrors.has(shared) ? tErrors(shared) : t('plain.other')
  }
  const key = <input type="hidden" name="key" value={idempotencyKey} />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] lg:gap-16">
      <SubjectCase subject={subject} />
      <section aria-label={t('section')} className="grid content-start gap-8">
        <p className="text-3xl font-medium">{tOrder('free')}</p>
        <OrderSummary
          seller={seller}
          collection={subject.collection}
          item={<OrderedItem subject={subject} />}
          quantity={1}
          price={tOrder('free')}
          total={tOrder('free')}
        />
        {refused && <Alert tone="danger">{whyRefused(refused)}</Alert>}
        {email && (
          <Step title={t('way.email.label')} lead={t('way.email.hint')}>
            <form action={order(email)} className="grid gap-5">
              {key}
              <Field label={t('email.label')} required>
                <Input name="email" type="email" autoComplete="email" />
              </Field>
              {quantity}
              <Button type="submit" variant="primary" size="lg">
                {t('email.send')}
              </Button>
            </form>
          </Step>
        )}
        {address && (
          <Step title={t('way.address.label')} lead={t('way.address.hint')}>
            <form action={order(address)} className="grid gap-5">
              {key}
              <Field label={t('address.label')} hint={t('address.hint')} required>
                <AddressInput name="address" />
              </Field>
              {quantity}
              <Button type="submit" variant="primary" size="lg">
                {t('address.send')}
              </Button>
            </form>
          </Step>
        )}
      </section>
    </div>
  )
}
