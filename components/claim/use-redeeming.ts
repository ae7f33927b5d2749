'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { Problem } from '@/packages/client/src/call'
import { readStored, useStored, writeStored } from '@/components/shared/browser-storage'
import { useFailureText } from '@/components/shared/failure-text'
import { serverNow } from '@/components/shared/server-clock'
import { decline, provePin, sendPin } from './claim'
import type { Destination } from './destination-step'
import { useRedemption } from './use-redemption'

/**
 * Where the recipient is in redeeming an open claim: start → pin → destination, and back to the PIN where that doesn't
 * hold any more.
 */
export type RedeemStep =
  | { at: 'start'; problem: string | null }
  /** `since` is new for each PIN, so that its field starts empty. */
  | { at: 'pin'; since: number; problem: string | null; notice: string | null }
  | { at: 'destination'; problem: string | null }

export type Redeeming = ReturnType<typeof useRedeeming>

const PIN_SECONDS = 600
const RESEND_SECONDS = 60

type Options = { token: string; readAt: number; isClaimed: boolean; reload: () => Promise<unknown> }

/** The state machine of redeeming. The claim's own state, from the API, decides whether any of it is shown. */
export function useRedeeming({ token, readAt, isClaimed, reload }: Options) {
  const t = useTranslations('claim.pin')
  const failureText = useFailureText()
  const [chosenStep, setStep] = useState<RedeemStep | null>(null)
  const [busy, setBusy] = useState<'pin' | 'judging' | 'redeem' | null>(null)
  const [destination, setDestination] = useState<Destination | null>(null)
  /** The step that the next PIN goes along with, where this browser doesn't keep the cookie that proves it. */
  const [pinFor, setPinFor] = useState<'redeem' | 'decline' | null>(null)

  // Names a link without being able to open it.
  const linkName = token.slice(0, 8)
  const pinSentName = `vitrine.pin-sent.${linkName}`
  const pinSentAt = Number(useStored(pinSentName) ?? 0)
  const pinIsValid = readAt - pinSentAt < PIN_SECONDS * 1000
  const provedName = `vitrine.pin-proved.${linkName}`
  const isProved = readAt < Number(useStored(provedName) ?? 0)
  const { wasRedeemedHere, isAskingAgain, redeemTo } = useRedemption({ token, linkName, isClaimed })
  const step = chosenStep ?? firstStep()

  function firstStep(): RedeemStep {
    if (isProved) return { at: 'destination', problem: null }
    return pinIsValid ? { at: 'pin', since: 0, problem: null, notice: null } : { at: 'start', problem: null }
  }

  const toPin = (problem: string | null, notice: string | null = null) =>
    setStep({ at: 'pin', since: secondsFromNow(0), problem, notice })

  /** `waitSeconds` is how long until another PIN may be requested. */
  function pinWasSent(waitSeconds: number, notice: string | null) {
    writeStored(pinSentName, String(secondsFromNow(waitSeconds - RESEND_SECONDS)))
    writeStored(provedName, null)
    toPin(null, notice)
  }

  async function requestPin() {
    setBusy('pin')
    try {
      await sendPin(token)
      pinWasSent(RESEND_SECONDS, step.at === 'pin' ? t('sentAgain') : null)
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
    if (wait && wait <= RESEND_SECONDS) return pinWasSent(wait, t('sentBefore'))
    if (problem?.status === 409 && problem.code !== 'address_suppressed') return void (await reload())
    if (step.at === 'pin') return toPin(failureText(failure))
    setStep({ at: 'start', problem: failureText(failure) })
  }

  /** After a right PIN: where this browser has chosen a destination before, the claim is redeemed to it at once. */
  async function submitPin(pin: string) {
    if (pinFor === 'decline') return declineGift(pin)
    if (pinFor === 'redeem' && destination) return deliver(destination, pin)
    setBusy('judging')
    try {
      const { expires_at } = await provePin(token, pin)
      writeStored(provedName, String(Date.parse(expires_at)))
      if (destination) return void (await deliver(destination))
      setStep({ at: 'destination', problem: null })
    } catch (failure) {
      await onPinWrong(failure)
    } finally {
      setBusy(null)
    }
  }

  async function onPinWrong(failure: unknown) {
    const problem = failure instanceof Problem ? failure : null
    if (problem?.code === 'pin_wrong') return toPin(wrongPinText(problem.body.tries_left))
    if (problem?.code === 'pin_expired') return toPin(t('over'))
    if (isOver(problem)) return void (await reload())
    toPin(failureText(failure))
  }

  async function deliver(to: Destination, pin?: string) {
    setBusy('redeem')
    setDestination(to)
    try {
      await redeemTo(to.address, pin)
      writeStored(pinSentName, null)
      writeStored(provedName, null)
      await reload()
      setStep(null)
    } catch (failure) {
      await onRedeemRefused(failure, 'redeem')
    } finally {
      setBusy(null)
    }
  }

  async function declineGift(pin?: string) {
    setBusy('redeem')
    try {
      await decline(token, pin)
      writeStored(provedName, null)
      await reload()
      setStep(null)
    } catch (failure) {
      await onRedeemRefused(failure, 'decline')
    } finally {
      setBusy(null)
    }
  }

  async function onRedeemRefused(failure: unknown, what: 'redeem' | 'decline') {
    const problem = failure instanceof Problem ? failure : null
    const code = problem?.code
    if (code === 'pin_wrong') return onPinWrong(failure)
    if (code === 'pin_expired' || code === 'pin_required') {
      // A PIN that is proved and still good, and yet required: this browser has not kept the cookie.
      const isUnkept = code === 'pin_required' && serverNow() < Number(readStored(provedName) ?? 0)
      writeStored(provedName, null)
      if (!isUnkept) return toPin(t('over'))
      setPinFor(what)
      return toPin(null, t('noCookie'))
    }
    if (isOver(problem)) return void (await reload())
    toDestination(failureText(failure))
  }

  function toDestination(problem: string) {
    setDestination(null)
    setPinFor(null)
    setStep({ at: 'destination', problem })
  }

  function wrongPinText(triesLeft: unknown): string {
    if (typeof triesLeft !== 'number') return t('wrong')
    return triesLeft === 0 ? t('wrongLast') : t('wrongLeft', { tries: triesLeft })
  }

  return {
    step,
    busy,
    wasRedeemedHere,
    /** It was redeemed, maybe here: the answer was lost and is asked for again. */
    isAskingAgain,
    /** In milliseconds: from when another PIN may be requested. */
    resendFrom: pinSentAt + RESEND_SECONDS * 1000,
    requestPin,
    submitPin,
    deliver,
    declineGift,
    backToPin: () => toPin(null),
  }
}

/** The claim itself can't be redeemed now: what it says of itself replaces the step. */
const isOver = (problem: Problem | null): boolean =>
  ['claim_locked', 'claim_already_claimed', 'claim_not_active'].includes(problem?.code ?? '')

const secondsFromNow = (seconds: number) => serverNow() + seconds * 1000
