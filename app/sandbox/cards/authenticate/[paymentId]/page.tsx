import { notFound } from 'next/navigation'
import { Button } from '@/components/ui/button'
import { Step } from '@/components/shared/step'
import { amountOf, CURRENCIES } from '@/lib/core/money'
import { findPaymentAuthentication } from '@/lib/ports/sandbox-cards/bank-page'

type Props = { params: Promise<{ paymentId: string }>; searchParams: Promise<{ token?: string | string[] }> }

/** The bank's 3-D Secure page, simulated by the built-in provider. A plain form that works without scripts. */
export default async function Page({ params, searchParams }: Props) {
  const { paymentId } = await params
  const { token } = await searchParams
  const question = typeof token === 'string' ? await findPaymentAuthentication(paymentId, token) : null
  if (!question || typeof token !== 'string') notFound()
  if (!question.isOpen)
    return (
      <Step
        title="Your bank has your answer"
        lead="You can close this window and go back to the shop."
        takeFocus={false}
        level={1}
      />
    )
  const total = amountOf(question.amountMinor, question.currency, CURRENCIES[question.currency].decimals)
  return (
    <Step
      title="Is that you?"
      lead={`Your bank asks: do you want to pay ${total} with the card that ends in ${question.last4}?`}
      takeFocus={false}
      level={1}
    >
      <form
        method="post"
        action={`/sandbox/cards/authenticate/${encodeURIComponent(paymentId)}/answer`}
        className="grid gap-3"
      >
        <input type="hidden" name="token" value={token} />
        <Button type="submit" name="answer" value="yes" variant="primary" size="lg">
          Yes, confirm the payment
        </Button>
        <Button type="submit" name="answer" value="no" size="lg">
          No, that isn’t me
        </Button>
      </form>
    </Step>
  )
}
