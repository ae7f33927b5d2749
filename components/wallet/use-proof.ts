'use client'

import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { privateKeyToAccount } from 'viem/accounts'
import type { Viewer } from './viewer'
import { proveAddress } from './items'

/** A new one in time: a proof is good for an hour. */
const PROVE_AGAIN_MS = 45 * 60_000

export type Proof = {
  /** The proof that lists take. null: only public items are shown. */
  proof: string | null
  /** An open wallet proves itself right now. */
  isPending: boolean
  failed: boolean
  /** For a wallet that is asked first. */
  setProof: (proof: string) => void
}

/**
 * The proof that the address shown is the visitor's. An open wallet signs it by itself; one of the browser is asked
 * when its owner wants it.
 */
export function useProof(viewer: Viewer): Proof {
  const [given, setProof] = useState<string | null>(null)
  const wallet = viewer.kind === 'own' ? viewer.wallet : null
  const own = useQuery({
    queryKey: ['proof', viewer.address],
    queryFn: () => {
      const account = privateKeyToAccount(wallet!.key)
      return proveAddress(account.address, (message) => account.signMessage({ message }))
    },
    enabled: wallet !== null,
    refetchInterval: PROVE_AGAIN_MS,
  })
  return {
    proof: wallet ? (own.data ?? null) : given,
    isPending: wallet !== null && own.isPending && own.fetchStatus === 'fetching',
    failed: wallet !== null && own.isError,
    setProof,
  }
}
