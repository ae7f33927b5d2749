'use client'

import { useEffect } from 'react'
import { useTranslations } from 'next-intl'
import { Spinner } from '@/components/ui/spinner'
import { later } from '@/components/shared/later'
import type { NetworkFacts } from '@/components/shared/network'
import type { ClaimView } from './claim'
import type { Destination } from './destination-step'
import { PinStep } from './pin-step'
import { StartStep } from './start-step'
import type { Redeeming } from './use-redeeming'

const loadWalletSteps = () => import('./wallet-steps').then((module) => module.WalletSteps)
export const WalletSteps = later(loadWalletSteps, OneMoment)

export function OneMoment() {
  return <Spinner label={useTranslations('claim.pin')('oneMoment')} />
}

export type RedeemStepProps = {
  claim: ClaimView
  token: string
  takesNames: boolean
  title: string
  network: NetworkFacts
  rpId: string
  redeeming: Redeeming
  takeFocus: boolean
  onDestination: (to: Destination) => void
}

/** The step of redeeming an open claim. */
export function RedeemStep({
  claim,
  token,
  takesNames,
  title,
  network,
  rpId,
  redeeming,
  takeFocus,
  onDestination,
}: RedeemStepProps) {
  const { step, busy, resendFrom, requestPin, submitPin, declineGift, backToPin } = redeeming

  useEffect(() => {
    // Loaded ahead of its use; a failure shows when it is needed.
    if (step.at === 'pin') loadWalletSteps().catch(() => undefined)
  }, [step.at])

  switch (step.at) {
    case 'start':
      return (
        <StartStep
          claim={claim}
          problem={step.problem}
          sending={busy === 'pin'}
          takeFocus={takeFocus}
          onRequestPin={requestPin}
        />
      )
    case 'pin':
      return (
        <PinStep
          key={step.since}
          emailHint={claim.email_hint}
          problem={step.problem}
          notice={step.notice}
          busy={busy === 'judging' || busy === 'redeem'}
          sending={busy === 'pin'}
          resendFrom={resendFrom}
          onResend={requestPin}
          onPin={submitPin}
        />
      )
    case 'destination':
      return (
        <WalletSteps
          network={network}
          step="destination"
          destination={{
            token,
            takesNames,
            rpId,
            networkId: network.id,
            title,
            problem: step.problem,
            busy: busy === 'redeem',
            onDestination,
            onDecline: () => void declineGift(),
            onBack: backToPin,
          }}
        />
      )
  }
}
