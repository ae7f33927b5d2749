'use client'

import { useLocale, useTranslations } from 'next-intl'
import { Problem, Unreachable } from '@/packages/client/src/call'
import { coins, type NetworkFacts } from '../../shared/network'
import { RelayRefusal } from '../../shared/relay'
import { useWalletFailureText } from '../use-wallet-failure-text'
import { useWalletText } from '../use-wallet-text'
import { type SendingWallet, TooFewCoins, WouldRevert } from './sending-wallet'
import { refusalOf } from './transfers'

/** The sentence that tells a person about a failure of a sending wallet, or of the API. */
export function useSendText(wallet: SendingWallet, network: NetworkFacts): (failure: unknown) => string {
  const t = useTranslations('ownWallet.send.problems')
  const tVoucher = useTranslations('wallet.voucher')
  const locale = useLocale()
  const failureText = useWalletFailureText()
  const walletText = useWalletText()
  return (failure) => {
    if (failure instanceof Problem) {
      const refusal = refusalOf(failure)
      return refusal === null ? failureText(failure) : t(refusal)
    }
    if (failure instanceof Unreachable) return failureText(failure)
    if (failure instanceof TooFewCoins) return t('needsCoins', { amount: coins(failure.missing, network, locale) })
    if (failure instanceof WouldRevert) return t('wouldRevert')
    if (wallet.kind === 'connected') return walletText(failure, network)
    if (failure instanceof RelayRefusal) return tVoucher('refused', { reason: failure.message })
    return tVoucher('notSent')
  }
}
