'use client'

import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { ChevronRight, Lock } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useFailureText } from '@/components/shared/failure-text'
import { serverNow } from '@/components/shared/server-clock'
import { type CardFault, grouped, checkCard, slashed } from './card-number'
import { confirmAtSandbox } from './sandbox-cards'
import type { CardData } from './purchase'

export type CardFormProps = {
  data: CardData
  total: string
  /** Where the bank sends the buyer back to. */
  returnUrl: string
  embedded: boolean
  onPaid: () => void
}

/** The card form of the built-in provider. */
export function CardForm({ data, total, returnUrl, embedded, onPaid }: CardFormProps) {
  const t = useTranslations('purchase.card')
  const tStep = useTranslations('purchase.step')
  const locale = useLocale()
  const failureText = useFailureText()
  const [written, setWritten] = useState({ number: '', expiry: '', cvc: '' })
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [bank, setBank] = useState<string | null>(null)
  const checked = checkCard(written, serverNow())
  const wrong = tried && !checked.ok ? checked : { number: null, expiry: null, cvc: null }
  const textOf = (fault: CardFault | null) => fault && t(`faults.${fault}`)
  const write = (part: Partial<typeof written>) => {
    setWritten({ ...written, ...part })
    setProblem(null)
  }

  async function pay(event: SubmitEvent) {
    event.preventDefault()
    setTried(true)
    if (!checked.ok) return
    setBusy(true)
    setProblem(null)
    try {
      const answer = await confirmAtSandbox(data, checked.card, returnUrl)
      if (answer.outcome === 'paid') return onPaid()
      if (answer.outcome === 'declined') {
        // The built-in provider's message about a code that we don't know is in English.
        setProblem((locale === 'en' && answer.message) || t(`refused.${answer.reason}`))
        return setBusy(false)
      }
      if (!embedded) return location.assign(answer.url)
      setBank(answer.url)
    } catch (failure) {
      setProblem(failureText(failure))
      setBusy(false)
    }
  }

  if (bank)
    return (
      <div className="grid gap-4">
        <Alert title={t('bank.title')} live>
          {t('bank.lead')}
        </Alert>
        <LinkButton href={bank} target="_blank" rel="noreferrer noopener" variant="primary" size="lg">
          {t('bank.go')}
        </LinkButton>
        <Button
          variant="quiet"
          onClick={() => {
            setBank(null)
            setBusy(false)
          }}
        >
          {t('bank.another')}
        </Button>
      </div>
    )

  return (
    <form onSubmit={pay} noValidate className="grid gap-4">
      {data.mode === 'TEST' && (
        <TestCards onPick={(number) => write({ number: grouped(number), expiry: '12/34', cvc: '123' })} />
      )}
      {problem && (
        <Alert tone="danger" live>
          {problem}
        </Alert>
      )}
      <Field label={t('number')} error={textOf(wrong.number)} required>
        <Input
          name="cardnumber"
          inputMode="numeric"
          autoComplete="cc-number"
          value={written.number}
          onChange={({ target }) => write({ number: grouped(target.value) })}
          className="figures"
        />
      </Field>
      <div className="grid grid-cols-2 items-start gap-4">
        <Field label={t('expiry')} error={textOf(wrong.expiry)} required>
          <Input
            name="exp-date"
            inputMode="numeric"
            autoComplete="cc-exp"
            placeholder={t('expiryExample')}
            value={written.expiry}
            onChange={({ target }) => write({ expiry: slashed(target.value, written.expiry) })}
            className="figures"
          />
        </Field>
        <Field label={t('cvc')} error={textOf(wrong.cvc)} required>
          <Input
            name="cvc"
            inputMode="numeric"
            autoComplete="cc-csc"
            maxLength={4}
            value={written.cvc}
            onChange={({ target }) => write({ cvc: target.value.replace(/\D/g, '') })}
            className="figures"
          />
        </Field>
      </div>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        busy={busy}
        icon={<Lock aria-hidden="true" className="size-4.5" />}
      >
        {tStep('pay', { total })}
      </Button>
    </form>
  )
}

const testCards = [
  { number: '4242424242424242', what: 'passes' },
  { number: '4000000000000002', what: 'declined' },
  { number: '4000000000009995', what: 'noMoney' },
  { number: '4000000000000069', what: 'expired' },
  { number: '4000000000000127', what: 'cvcWrong' },
  { number: '4000002760003184', what: 'asks' },
  { number: '4000000000000259', what: 'disputed' },
] as const

function TestCards({ onPick }: { onPick: (number: string) => void }) {
  const t = useTranslations('purchase.card.tests')
  return (
    <details className="group rounded-md bg-well text-sm">
      <summary className="flex min-h-11 items-center justify-between px-4 font-medium">
        <span>{t('title')}</span>
        <ChevronRight
          aria-hidden="true"
          className="size-4 text-muted transition-transform group-open:rotate-90 rtl:not-group-open:-scale-x-100"
        />
      </summary>
      <ul className="grid gap-1 px-2 pb-2">
        {testCards.map(({ number, what }) => (
          <li key={number}>
            <button
              type="button"
              onClick={() => onPick(number)}
              className="flex w-full flex-wrap items-baseline gap-x-3 rounded-sm px-2 py-1.5 text-start hover:bg-pane"
            >
              <span dir="ltr" className="figures">
                {grouped(number)}
              </span>
              <span className="text-muted">{t(what)}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
