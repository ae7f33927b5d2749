import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { SellerFacts } from '@/components/shared/seller'
import { Step } from '@/components/shared/step'
import { waysOf } from './listing'
import type { ListingView, Provider } from './listing'
import { OrderSummary } from './order-summary'
import { orderedItemOf, type Subject } from './subject'
import { SubjectCase } from './subject-case'

/** Why the API refused the last order. */
const WORDS: Partial<Record<string, string>> = {
  sold_out: 'There are not enough left.',
  listing_not_active: 'It isn’t offered right now.',
  not_eligible: 'It is only for those on the seller’s list, and you aren’t on it with what you gave.',
  limit_reached: 'You have had as many as one person may get.',
  buyer_invalid: 'Check what you typed: something of it isn’t whole.',
  invalid_request: 'Check what you typed: something of it isn’t whole.',
  quantity_invalid: 'So many can’t be ordered at once.',
  address_cannot_receive: 'This address belongs to a contract that can’t hold the item. Choose another one.',
  proof_required: 'Many ask for it right now, so each browser has to prove that it is no robot. That needs JavaScript.',
  rate_limited: 'That was a little fast. Wait a minute and try again.',
}
const ELSE = 'That did not work. Please try again in a minute.'

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
  const ways = waysOf(listing)
  const [email, address] = [ways.get('email'), ways.get('address')]
  const most = Math.min(Number(listing.max_quantity_per_tx), Number(listing.quantity_remaining))
  const quantity = most > 1 && (
    <Field label="How many" className="max-w-32">
      <Input name="quantity" type="number" inputMode="numeric" min={1} max={most} defaultValue={1} />
    </Field>
  )
  const key = <input type="hidden" name="key" value={idempotencyKey} />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] lg:gap-16">
      <SubjectCase subject={subject} />
      <section aria-label="Getting it" className="grid content-start gap-8">
        <p className="text-3xl font-medium">Free</p>
        <OrderSummary
          seller={seller}
          collection={subject.collection}
          item={orderedItemOf(subject)}
          quantity={1}
          price="Free"
          total="Free"
        />
        {refused && <Alert tone="danger">{WORDS[refused] ?? ELSE}</Alert>}
        {email && (
          <Step title="By email" lead="It waits for you in your mailbox. You need no wallet.">
            <form action={order(email)} className="grid gap-5">
              {key}
              <Field label="Your email" required>
                <Input name="email" type="email" autoComplete="email" />
              </Field>
              {quantity}
              <Button type="submit" variant="primary" size="lg">
                Send it to my mailbox
              </Button>
            </form>
          </Step>
        )}
        {address && (
          <Step title="To a wallet" lead="Straight to your wallet. We pay the network’s fee.">
            <form action={order(address)} className="grid gap-5">
              {key}
              <Field label="Address" hint="It starts with 0x. Use one you hold the keys of." required>
                <Input name="address" autoComplete="off" spellCheck={false} className="figures" />
              </Field>
              {quantity}
              <Button type="submit" variant="primary" size="lg">
                Send it there
              </Button>
            </form>
          </Step>
        )}
      </section>
    </div>
  )
}
