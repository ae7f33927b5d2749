'use client'

import { useQuery } from '@tanstack/react-query'
import { useStored, writeStored } from '@/components/shared/browser-storage'
import { serverNow } from '@/components/shared/server-clock'
import { useChanges } from '@/components/shared/use-changes'
import { useTransactionFailed } from '@/components/shared/use-transaction-failed'
import { askClaimVersion, getClaim, isOver, sceneOf } from './claim'
import type { ClaimView, Scene } from './claim'

/** `readAt`: by the server's clock. */
type Read = { claim: ClaimView; readAt: number }

/** The claim as the API has it, and the mint transaction that this browser may have sent for its voucher. */
export function useClaim(token: string, initial: Read, networkId: number) {
  const query = useQuery({
    queryKey: ['claim', token],
    queryFn: async ({ signal }): Promise<Read> => ({ claim: await getClaim(token, signal), readAt: serverNow() }),
    initialData: initial,
    staleTime: 5_000,
  })
  const { claim, readAt } = query.data
  const sceneInApi = sceneOf(claim, readAt)
  useChanges(token, isOver(sceneInApi) ? null : askClaimVersion(token), () => query.refetch())

  const sentName = sentNameOf(claim)
  const sentHash = useStored(sentName)
  const sentFailed = useTransactionFailed(networkId, sentHash, {
    enabled: sceneInApi === 'voucher',
    intervalMs: 4_000,
  })
  // The API learns of the mint only from the chain. Until then this browser's own record of it counts.
  const awaitsChain = sentHash !== null && sceneInApi === 'voucher' && !sentFailed

  return {
    claim,
    scene: awaitsChain ? ('on_its_way' satisfies Scene) : sceneInApi,
    readAt,
    reload: query.refetch,
    sent: { hash: sentHash, failed: sentFailed, awaitsChain },
    /** Stores the hash, so that a reload doesn't offer to send the voucher again; null offers it again. */
    setSent: (hash: string | null) => writeStored(sentName, hash),
  }
}

const sentNameOf = ({ voucher: entry }: ClaimView): string =>
  entry ? `vitrine.mint-sent.${entry.contract}.${entry.voucher.token_id}.${entry.voucher.nonce}` : ''
