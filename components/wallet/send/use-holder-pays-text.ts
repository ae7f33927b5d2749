'use client'

import { useTranslations } from 'next-intl'
import type { Problem } from '@/packages/client/src/call'
import { useWalletFailureText } from '../use-wallet-failure-text'

/** Says why the organization doesn't pay a transfer after all, by the reason of its `holder_pays` problem. */
export function useHolderPaysText(): (problem: Problem) => string {
  const t = useTranslations('ownWallet.send.holderPays')
  const failureText = useWalletFailureText()
  return (problem) => {
    const key = String(problem.body.reason) as 'not_offered' // any reason, so it is asked for first
    return t.has(key) ? t(key) : failureText(problem)
  }
}
