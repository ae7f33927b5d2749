'use client'

import { useTranslations } from 'next-intl'
import { Problem } from '@/packages/client/src/call'
import { useFailureText } from '../shared/failure-text'

/** The sentence that tells a person about a failed call of the wallet's own page. */
export function useWalletFailureText(): (failure: unknown) => string {
  const t = useTranslations('ownWallet.errors')
  const failureText = useFailureText()
  return (failure) => {
    if (!(failure instanceof Problem)) return failureText(failure)
    const key = failure.code as 'unavailable' // any code, so it is asked for first
    return t.has(key) ? t(key) : failureText(failure)
  }
}
