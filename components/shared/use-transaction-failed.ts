'use client'

import { useQuery } from '@tanstack/react-query'
import { transactionFailed } from './relay'

type Options = { enabled: boolean; intervalMs: number }

/**
 * Whether a transaction sent by this browser was reverted; false while it is pending or there is none. Polls while
 * enabled.
 */
export function useTransactionFailed(
  networkId: number,
  hash: string | null,
  { enabled, intervalMs }: Options,
): boolean {
  const query = useQuery({
    queryKey: ['transaction-failed', hash],
    queryFn: () => transactionFailed(networkId, hash!),
    enabled: enabled && hash !== null,
    refetchInterval: intervalMs,
  })
  return query.data ?? false
}
