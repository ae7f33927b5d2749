'use client'

import { useState } from 'react'
import { Problem } from '@/packages/client/src/call'
import { failureSentence } from '@/components/shared/api'
import { useStored, writeStored } from '@/components/shared/browser-storage'
import { useIdempotentSend } from '@/components/shared/use-idempotent-send'
import { redeem, sendPin } from './claim'
import type { Destination } from './destination-step'

/** Where the recipient is in redeeming an open claim: start → pin → destination, and back to the PIN after a refusal. */
export type RedeemStep =
  | { at: 'start'; problem: string | null }
  /** `since` is new for each PIN, so that its field starts empty. */
  | { at: 'pin'; since: number; problem: string | null; notice: string | null }
  | { at: 'destination'; pin: string; problem: string | null }

export type Redeeming = ReturnType<typeof useRedeeming>

const PIN_SECONDS = 600
const RESEND_SECONDS = 60

type Options = { token: string; itemId: string; readAt: number; reload: () => Promise<unknown> }

/** The state machine of redeeming. The claim's own state, from the API, decides whether any of it is shown. */
export function useRedeeming({ token, itemId, readAt, reload }: Options) {
  const [chosenStep, setStep] = useState<RedeemStep | null>(null)
  const [busy, setBusy] = useState<'pin' | 'redeem' | null>(null)
  const [destination, setDestination] = useState<Destination | null>(null)
  const sendIdempotently = useIdempotentSend()

  const pinSentName = `vitrine.pin-sent.${itemId}`
  const pinSentAt = Number(useStored(pinSentName) ?? 0)
  const pinIsValid = readAt - pinSentAt < PIN_SECONDS * 1000
  const firstStep: RedeemStep = pinIsValid
    ? { at: 'pin', since: 0, problem: null, notice: null }
    : { at: 'start', problem: null }
  const step = chosenStep ?? firstStep

  const toPin = (problem: string | null, notice: string | null = null) =>
    setStep({ at: 'pin', since: secondsFromNow(0), problem, notice })

  /** `waitSeconds` is how long until another PIN may be requested. */
  function pinWasSent(waitSeconds: number, notice: string | null) {
    writeStored(pinSentName, String(secondsFromNow(waitSeconds - RESEND_SECONDS)))
    toPin(null, notice)
  }

  async function requestPin() {
    setBusy('pin')
    try {
      await sendPin(token)
      pinWasSent(RESEND_SECONDS, step.at === 'pin' ? 'A new PIN is on its way to your mailbox.' : null)
    } catch (failure) {
      await onPinRefused(failure)
    } finally {
      setBusy(null)
    }
  }

  async function onPinRefused(failure: unknown) {
    const problem = failure instanceof Problem ? failure : null
    const wait = problem?.code === 'rate_limited' ? problem.retryAfterSeconds : null
    // A PIN was sent less than a minute ago, perhaps from another tab, and is still valid.
    if (wait && wait <= RESEND_SECONDS) return pinWasSent(wait, 'A PIN was sent a moment ago. Use that one.')
    if (problem?.status === 409 && problem.code !== 'address_suppressed') return void (await reload())
    if (step.at === 'pin') return toPin(failureSentence(failure))
    setStep({ at: 'start', problem: failureSentence(failure) })
  }

  /** A PIN after a refused one goes straight to the destination that was chosen before. */
  function submitPin(pin: string) {
    if (destination) void deliver(pin, destination)
    else setStep({ at: 'destination', pin, problem: null })
  }

  async function deliver(pin: string, to: Destination) {
    setBusy('redeem')
    setDestination(to)
    try {
      await sendIdempotently(`${pin} ${to.address}`, (key) => redeem(token, { address: to.address, pin }, key))
      writeStored(pinSentName, null)
      await reload()
      setStep(null)
    } catch (failure) {
      await onRedeemRefused(failure, pin)
    } finally {
      setBusy(null)
    }
  }

  async function onRedeemRefused(failure: unknown, pin: string) {
    const problem = failure instanceof Problem ? failure : null
    const code = problem?.code
    if (code === 'pin_wrong') return toPin(wrongPinSentence(problem?.body.tries_left))
    if (code === 'pin_expired' || code === 'pin_required')
      return toPin('This PIN doesn’t work any more. Ask for another one below.')
    if (code === 'claim_locked' || code === 'claim_already_claimed' || code === 'claim_not_active')
      return void (await reload())
    if (code === 'address_cannot_receive')
      return toDestination(pin, 'This address belongs to a contract that can’t hold the item. Choose another one.')
    toDestination(pin, failureSentence(failure))
  }

  function toDestination(pin: string, problem: string) {
    setDestination(null)
    setStep({ at: 'destination', pin, problem })
  }

  return {
    step,
    busy,
    /** In milliseconds: from when another PIN may be requested. */
    resendFrom: pinSentAt + RESEND_SECONDS * 1000,
    requestPin,
    submitPin,
    deliver,
    backToPin: () => toPin(null),
  }
}

const secondsFromNow = (seconds: number) => Date.now() + seconds * 1000

function wrongPinSentence(triesLeft: unknown): string {
  if (typeof triesLeft !== 'number') return 'That isn’t the PIN.'
  if (triesLeft === 0) return 'That isn’t the PIN, and it was the last try. Ask for another PIN below.'
  return `That isn’t the PIN. You have ${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left.`
}
