'use client'

import { useTranslations } from 'next-intl'
import type { NetworkFacts } from '../shared/network'
import { walletRefusal } from './send-voucher'

/** Says why a wallet of the browser sent nothing. */
export type WalletText = (failure: unknown, network: NetworkFacts, currency?: string) => string

export function useWalletText(): WalletText {
  const t = useTranslations('wallet.sending')
  return (failure, network, currency) => {
    const { key, ...names } = walletRefusal(failure, network, currency)
    return t(key, names)
  }
}
