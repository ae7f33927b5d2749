'use client'

import { useState } from 'react'
import { useStored, writeStored } from '@/components/shared/browser-storage'
import { useTransactionFailed } from '@/components/shared/use-transaction-failed'
import type { Scene } from './purchase'

type Options = {
  id: string
  networkId: number
  /** As the API has it. */
  scene: Scene
  fromBank: string | null
}

/**
 * The state of a payment that this browser knows before the API does: the card was charged, or the voucher sent. It is
 * stored, so that a reload doesn't offer to pay again.
 */
export function usePayment({ id, networkId, scene, fromBank }: Options) {
  const [bankResult, setBankResult] = useState(fromBank)
  const isUnpaid = scene === 'pay_card' || scene === 'pay_wallet' || scene === 'closing'

  // 'card' or the hash of the transaction that carries the voucher.
  const storedName = `vitrine.paid.${id}`
  const stored = useStored(storedName)
  const hash = stored?.startsWith('0x') ? stored : null
  const transactionFailed = useTransactionFailed(networkId, hash, { enabled: isUnpaid, intervalMs: 3_000 })
  const awaitsApi = isUnpaid && (hash ? !transactionFailed : stored === 'card' || bankResult === 'succeeded')

  return {
    scene: awaitsApi ? ('confirming' satisfies Scene) : scene,
    hash,
    transactionFailed,
    bankRefused: bankResult === 'failed',
    onCardPaid: () => {
      setBankResult(null)
      writeStored(storedName, 'card')
    },
    onVoucherSent: (sentHash: string) => writeStored(storedName, sentHash),
    /** Offers to send the voucher once more. */
    forgetSent: () => writeStored(storedName, null),
  }
}
