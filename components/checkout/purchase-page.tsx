'use client'

import { useEffect, useState } from 'react'
import { useRouter } from 'next/navigation'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { Problem } from '@/packages/client/src/call'
import { Spinner } from '@/components/ui/spinner'
import { useHydrated } from '@/components/ui/use-hydrated'
import { useFailureText } from '@/components/shared/failure-text'
import { LoadFailed } from '@/components/shared/load-failed'
import type { NetworkFacts } from '@/components/shared/network'
import { Queries } from '@/components/shared/queries'
import { serverNow } from '@/components/shared/server-clock'
import { useChanges } from '@/components/shared/use-changes'
import { LoadedPurchase } from './loaded-purchase'
import type { LoadedPurchaseProps } from './loaded-purchase'
import { askPurchaseVersion, getPurchase, isOver, sceneOf } from './purchase'
import { storeSecret } from './secret'
import { UnknownPurchase } from './unknown-purchase'
import { useSecret } from './use-secret'

export type PurchasePageProps = Pick<LoadedPurchaseProps, 'id' | 'seller' | 'embedded' | 'stripeKey' | 'fromBank'> & {
  networks: NetworkFacts[]
  /** The buyer said which language they want; otherwise the page takes the purchase's. */
  localeIsChosen: boolean
}

/** Reads the purchase's secret, which only the browser has. */
export function PurchasePage(props: PurchasePageProps) {
  const secret = useSecret(props.id)
  const hydrated = useHydrated()
  useEffect(() => {
    if (secret) storeSecret(props.id, secret)
  }, [props.id, secret])

  if (!hydrated) return <Opening />
  if (!secret) return <UnknownPurchase reason={props.fromBank ? 'back_from_bank' : 'unknown_purchase'} />
  return (
    <Queries>
      <Purchase {...props} secret={secret} />
    </Queries>
  )
}

function Opening() {
  const t = useTranslations('purchase.page')
  return (
    <div className="grid place-items-center gap-4 py-24 text-muted">
      <h1 className="sr-only">{t('title')}</h1>
      <Spinner label={t('opening')} />
    </div>
  )
}

const isNotFound = (failure: unknown) => failure instanceof Problem && failure.status === 404

function Purchase({ networks, localeIsChosen, ...props }: PurchasePageProps & { secret: string }) {
  const failureText = useFailureText()
  const query = useQuery({
    queryKey: ['purchase', props.id],
    queryFn: async ({ signal }) => ({
      purchase: await getPurchase(props.id, props.secret, signal),
      readAt: serverNow(),
    }),
    refetchInterval: ({ state }) => (state.data ? false : 5_000),
    retry: (count, failure) => count < 2 && !isNotFound(failure),
  })
  const purchase = query.data?.purchase
  const isWatched = query.data !== undefined && !isOver(sceneOf(query.data.purchase, query.data.readAt))
  useChanges(props.id, isWatched ? askPurchaseVersion(props.id, props.secret) : null, () => query.refetch())
  // Only the first language of the purchase counts: a later one may have been chosen on this page a moment ago, which
  // shows it by itself.
  const [opened, setOpened] = useState<{ locale: string | null } | null>(null)
  if (purchase && !opened) setOpened({ locale: purchase.locale })
  const isInAnotherLanguage = useLanguageOf(localeIsChosen ? null : (opened?.locale ?? null))
  if (!purchase && isNotFound(query.error)) return <UnknownPurchase reason="unknown_purchase" />
  if (!purchase && query.error)
    return <LoadFailed lead={failureText(query.error)} onRetry={() => void query.refetch()} />
  const network = networks.find((one) => one.id === purchase?.delivery.network_id) ?? networks[0]
  if (!query.data || !network || isInAnotherLanguage) return <Opening />
  return <LoadedPurchase {...props} {...query.data} network={network} reload={query.refetch} />
}

/**
 * Opens the page again in a language, unless it is in it; true until then. The server doesn't know a purchase's
 * language: it has no secret.
 */
function useLanguageOf(wanted: string | null): boolean {
  const router = useRouter()
  const locale = useLocale()
  const isOther = wanted !== null && wanted !== locale
  useEffect(() => {
    if (!isOther) return
    const url = new URL(location.href)
    url.searchParams.set('lang', wanted)
    router.replace(url.pathname + url.search + url.hash, { scroll: false })
  }, [wanted, isOther, router])
  return isOther
}
