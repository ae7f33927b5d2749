import { useTranslations } from 'next-intl'
import { AddressInput } from '@/components/ui/address-input'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Sentence } from '@/components/ui/sentence'
import { Step } from '@/components/shared/step'
import type { ClaimItem, ClaimView } from './claim'
import { ItemCase } from './item-case'

type Props = {
  claim: ClaimView
  item: ClaimItem
  /** The outcome of the last form. */
  said: string | null
  sendPin: () => Promise<void>
  redeem: (form: FormData) => Promise<void>
}

/** The sentence after a form was sent: that the PIN was sent, or why the API refused. */
function useSaid(): (said: string) => string {
  const t = useTranslations('claim.plain.said')
  const tErrors = useTranslations('errors')
  return (said) => {
    const [here, error] = [said as 'other', said as 'general'] // any text of the address, so it is asked for first
    if (t.has(here)) return t(here)
    return tErrors.has(error) ? tErrors(error) : t('other')
  }
}

/** Redeems a claim to an address that the recipient types, in a browser without script. */
export function PlainClaim({ claim, item, said, sendPin, redeem }: Props) {
  const t = useTranslations('claim.plain')
  const tClaim = useTranslations('claim')
  const textOfSaid = useSaid()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] lg:gap-16">
      <ItemCase item={{ ...item, translations: claim.public_item?.translations }} quantity={Number(claim.quantity)} />
      <section aria-label={tClaim('page.section')} className="grid content-start gap-8">
        {said && <Alert tone={said === 'pin_sent' ? 'positive' : 'danger'}>{textOfSaid(said)}</Alert>}
        {claim.tx_payer === 'BUYER' ? (
          <Step title={t('noScript')} lead={t('noScriptLead')} />
        ) : (
          <>
            <Step
              title={t('first')}
              lead={
                claim.email_hint ? (
                  <Sentence>
                    {t.rich('firstTo', { hint: claim.email_hint, email: (text) => <bdi>{text}</bdi> })}
                  </Sentence>
                ) : (
                  t('firstHere')
                )
              }
            >
              <form action={sendPin}>
                <Button type="submit" size="lg">
                  {tClaim('start.send')}
                </Button>
              </form>
            </Step>
            <Step title={t('second')} lead={t('secondLead')}>
              <form action={redeem} className="grid gap-5">
                <Field label={tClaim('pin.label')} required>
                  <Input
                    name="pin"
                    inputMode="numeric"
                    autoComplete="one-time-code"
                    maxLength={12}
                    className="figures sm:max-w-64"
                  />
                </Field>
                <Field label={t('address')} hint={t('addressHint')} required>
                  <AddressInput name="address" />
                </Field>
                <Button type="submit" variant="primary" size="lg">
                  {t('send')}
                </Button>
              </form>
            </Step>
          </>
        )}
      </section>
    </div>
  )
}
