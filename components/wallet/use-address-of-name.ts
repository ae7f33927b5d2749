'use client'

import { useTranslations } from 'next-intl'
import type { Address } from 'viem'
import { addressOfName } from './items'
import { useWalletFailureText } from './use-wallet-failure-text'

/** Gives the address of an ENS name, or the sentence that says why there is none. */
export function useAddressOfName(): (name: string) => Promise<{ address: Address } | { problem: string }> {
  const t = useTranslations('ownWallet')
  const failureText = useWalletFailureText()
  return (name) =>
    addressOfName(name).then(
      (address) => (address ? { address } : { problem: t('noName') }),
      (failure: unknown) => ({ problem: failureText(failure) }),
    )
}
