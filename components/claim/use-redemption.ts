'use client'

import { useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useStored, writeStored } from '@/components/shared/browser-storage'
import { isRefused, newIdempotencyKey } from '@/components/shared/use-idempotent-send'
import { redeem } from './claim'

/** A redemption whose answer hasn't arrived. Its key says nothing to anybody without the claim's link. */
type Sent = { address: string; key: string }

const RETRY_MS = 3_000

/**
 * Redeems a claim, and knows whether it was this browser that did. Where the answer was lost, also over a reload, the
 * request is repeated under its key, which brings the first result and redeems nothing a second time.
 * @param linkName names a link without being able to open it.
 */
export function useRedemption({ token, linkName, isClaimed }: { token: string; linkName: string; isClaimed: boolean }) {
  const redeemedName = `vitrine.redeemed.${linkName}`
  const wasRedeemedHere = useStored(redeemedName) !== null
  const sentName = `vitrine.redeeming.${linkName}`
  const sent = sentIn(useStored(sentName))
  /** A PIN that went along is never stored. */
  const pinSent = useRef<string>(undefined)
  const [isSending, setSending] = useState(false)

  async function send(address: string, key: string) {
    try {
      await redeem(token, address, key, pinSent.current)
    } catch (failure) {
      if (isRefused(failure)) writeStored(sentName, null)
      throw failure
    }
    writeStored(redeemedName, 'yes')
    writeStored(sentName, null)
  }

  /** `pin`: where this browser doesn't keep the cookie that proves it. */
  function redeemTo(address: string, pin?: string): Promise<void> {
    const isSame = sent?.address === address && pinSent.current === pin
    const { key } = isSame ? sent : { key: newIdempotencyKey() }
    pinSent.current = pin
    writeStored(sentName, JSON.stringify({ address, key } satisfies Sent))
    setSending(true)
    return send(address, key).finally(() => setSending(false))
  }

  const lost = isClaimed && !wasRedeemedHere && !isSending ? sent : null
  const { isLoading } = useQuery({
    queryKey: ['redemption', linkName, lost?.key],
    enabled: lost !== null,
    queryFn: () => send(lost!.address, lost!.key).then(() => true),
    retry: (_, failure) => !isRefused(failure),
    retryDelay: RETRY_MS,
  })

  return { wasRedeemedHere, isAskingAgain: lost !== null && isLoading, redeemTo }
}

function sentIn(stored: string | null): Sent | null {
  try {
    const sent = JSON.parse(stored ?? 'null') as Partial<Sent> | null
    return sent?.address && sent.key ? { address: sent.address, key: sent.key } : null
  } catch {
    return null
  }
}
