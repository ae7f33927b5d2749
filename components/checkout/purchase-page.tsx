'use client'

import { useEffect, useSyncExternalStore } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Problem } from '@/packages/client/src/call'
import { Spinner } from '@/components/ui/spinner'
import { useHydrated } from '@/components/ui/use-hydrated'
import { failureSentence } from '@/components/shared/api'
import { LoadFailed } from '@/components/shared/load-failed'
import type { NetworkFacts } from '@/components/shared/network'
import { Queries } from '@/components/shared/queries'
import { useChanges } from '@/components/shared/use-changes'
import { ClosedPage } from './closed-page'
import { LoadedPurchase } from './loaded-purchase'
import type { LoadedPurchaseProps } from './loaded-purchase'
import { askPurchaseVersion, getPurchase, isOver, sceneOf } from './purchase'
import { readSecret, storeSecret } from './secret'

export type PurchasePageProps = Pick<LoadedPurchaseProps, 'id' | 'seller' | 'embedded' | 'stripeKey' | 'fromBank'> & {
  networks: NetworkFacts[]
}

/** Reads the purchase's secret, which only the browser has. */
export function PurchasePage(props: PurchasePageProps) {
  const secret = useSyncExternalStore(
    onHashChange,
    () => readSecret(props.id),
    () => null,
  )
  const hydrated = useHydrated()
  useEffect(() => {
    if (secret) storeSecret(props.id, secret)
  }, [props.id, secret])

  if (!hydrated) return <Opening />
  if (!secret) return <ClosedPage reason={props.fromBank ? 'back_from_bank' : 'unknown_purchase'} />
  return (
    <Queries>
      <Purchase {...props} secret={secret} />
    </Queries>
  )
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

function Opening() {
  return (
    <div className="grid place-items-center gap-4 py-24 text-muted">
      <h1 className="sr-only">Your purchase</h1>
      <Spinner label="Opening your purchase" />
    </div>
  )
}

const isNotFound = (failure: unknown) => failure instanceof Problem && failure.status === 404

function Purchase({ networks, ...props }: PurchasePageProps & { secret: string }) {
  const query = useQuery({
    queryKey: ['purchase', props.id],
    queryFn: ({ signal }) => getPurchase(props.id, props.secret, signal),
    refetchInterval: ({ state }) => (state.data ? false : 5_000),
    retry: (count, failure) => count < 2 && !isNotFound(failure),
  })
  const purchase = query.data
  const isWatched = purchase !== undefined && !isOver(sceneOf(purchase, query.dataUpdatedAt))
  useChanges(props.id, isWatched ? askPurchaseVersion(props.id, props.secret) : null, () => query.refetch())
  if (!purchase && isNotFound(query.error)) return <ClosedPage reason="unknown_purchase" />
  if (!purchase && query.error)
    return <LoadFailed lead={failureSentence(query.error)} onRetry={() => void query.refetch()} />
  const network = networks.find((one) => one.id === purchase?.delivery.network_id) ?? networks[0]
  if (!purchase || !network) return <Opening />
  return (
    <LoadedPurchase
      {...props}
      purchase={purchase}
      network={network}
      readAt={query.dataUpdatedAt}
      reload={query.refetch}
    />
  )
}
