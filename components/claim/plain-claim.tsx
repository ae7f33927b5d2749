import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Step } from '@/components/shared/step'
import type { ClaimItem, ClaimView } from './claim'
import { ItemCase } from './item-case'

/** What to say after a form was sent: that the PIN was sent, or why the API refused. */
const WORDS: Partial<Record<string, string>> = {
  pin_sent: 'We have sent six digits to your mailbox. They work for ten minutes.',
  pin_wrong: 'That isn’t the PIN. After a few wrong ones this link is locked.',
  pin_expired: 'This PIN doesn’t work any more. Ask for another one.',
  pin_required: 'Type the PIN from the email. If you have none, ask for it first.',
  address_required: 'Type the address of your wallet.',
  address_cannot_receive: 'This address belongs to a contract that can’t hold the item. Choose another one.',
  invalid_request: 'This isn’t a whole address: it starts with 0x and has 40 characters after that.',
  rate_limited: 'That was a little fast. Wait a minute and try again. A PIN that you have still works.',
  address_suppressed: 'Mail to this mailbox comes back, so no PIN was sent. Ask the sender.',
}
const ELSE = 'That did not work. Please try again in a minute.'

type Props = {
  claim: ClaimView
  item: ClaimItem
  /** What came of the last form. */
  said: string | null
  sendPin: () => Promise<void>
  redeem: (form: FormData) => Promise<void>
}

/** Redeems a claim to an address that the recipient types, in a browser without script. */
export function PlainClaim({ claim, item, said, sendPin, redeem }: Props) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] lg:gap-16">
      <ItemCase item={item} quantity={Number(claim.quantity)} />
      <section aria-label="Getting it" className="grid content-start gap-8">
        {said && <Alert tone={said === 'pin_sent' ? 'positive' : 'danger'}>{WORDS[said] ?? ELSE}</Alert>}
        {claim.tx_payer === 'BUYER' ? (
          <Step
            title="This page needs JavaScript"
            lead="You collect this one with a wallet, which pays the network’s fee. Turn JavaScript on and reload the page."
          />
        ) : (
          <>
            <Step
              title="1. Get your PIN"
              lead={`We send it to ${claim.email_hint ?? 'the address this link came to'}, to make sure that this reaches the right person.`}
            >
              <form action={sendPin}>
                <Button type="submit" size="lg">
                  Send me my PIN
                </Button>
              </form>
            </Step>
            <Step
              title="2. Say where it should go"
              lead="Use the address of a wallet you hold the keys of. An exchange may not show what arrives."
            >
              <form action={redeem} className="grid gap-5">
                <Field label="PIN" required>
                  <Input
                    name="pin"
                    inputMode="numeric"
                    autoComplete="one-time-code"
                    maxLength={12}
                    className="figures sm:max-w-64"
                  />
                </Field>
                <Field label="Address" hint="It starts with 0x." required>
                  <Input name="address" autoComplete="off" spellCheck={false} className="figures" />
                </Field>
                <Button type="submit" variant="primary" size="lg">
                  Send it there
                </Button>
              </form>
            </Step>
          </>
        )}
      </section>
    </div>
  )
}
