'use client'

import { useEffect, useRef, useState } from 'react'
import type { SubmitEvent, ReactNode } from 'react'
import { useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Sentence } from '@/components/ui/sentence'
import { hasActed } from '@/components/shared/has-acted'
import { serverNow } from '@/components/shared/server-clock'
import { Step } from '@/components/shared/step'
import { PIN_DIGITS, PinInput } from './pin-input'

export type PinStepProps = {
  emailHint: string | null
  /** Why the last PIN was refused. */
  problem: string | null
  /** Shown above the field, such as that a new PIN was sent. */
  notice: ReactNode
  busy: boolean
  /** From when another PIN may be requested, in milliseconds. */
  resendFrom: number
  sending: boolean
  onResend: () => void
  onPin: (pin: string) => void
}

/** Asks for the PIN from the mail, and sends it as soon as it is complete. */
export function PinStep({ emailHint, problem, notice, busy, resendFrom, sending, onResend, onPin }: PinStepProps) {
  const t = useTranslations('claim.pin')
  const [pin, setPin] = useState('')
  const [short, setShort] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const wait = useSecondsUntil(resendFrom)

  useEffect(() => {
    if (hasActed()) field.current?.focus()
  }, [])

  function change(typed: string) {
    setPin(typed)
    setShort(false)
    if (typed.length === PIN_DIGITS && typed !== pin) onPin(typed)
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (busy) return
    setShort(pin.length !== PIN_DIGITS)
    if (pin.length === PIN_DIGITS) onPin(pin)
    else field.current?.focus()
  }

  return (
    <Step
      title={t('title')}
      takeFocus={false}
      lead={
        emailHint ? (
          <Sentence>{t.rich('leadTo', { hint: emailHint, email: (text) => <bdi>{text}</bdi> })}</Sentence>
        ) : (
          t('leadHere')
        )
      }
    >
      {notice && (
        <Alert tone="positive" live>
          {notice}
        </Alert>
      )}
      <form onSubmit={submit} noValidate className="grid gap-5">
        <Field label={t('label')} hideLabel error={short ? t('short') : problem} required>
          <PinInput ref={field} pin={pin} busy={busy} onChange={change} />
        </Field>
        <div className="grid gap-2">
          <Button type="submit" variant="primary" size="lg" busy={busy}>
            {t('continue')}
          </Button>
          <Button variant="quiet" busy={sending} disabled={wait > 0} onClick={onResend}>
            {wait > 0 ? t('againIn', { seconds: wait }) : t('again')}
          </Button>
        </div>
      </form>
      <p className="text-sm text-muted">{t('nothing')}</p>
    </Step>
  )
}

/** The whole seconds left until a moment, counting down. */
function useSecondsUntil(moment: number): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const count = () => setLeft(Math.max(0, Math.ceil((moment - serverNow()) / 1000)))
    count()
    const timer = setInterval(count, 500)
    return () => clearInterval(timer)
  }, [moment])
  return left
}
