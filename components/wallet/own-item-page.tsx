'use client'

import { useEffect, useRef, useState } from 'react'
import { Link } from '@/components/ui/link'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft, Send } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { WidePicture } from '@/components/claim/item-case'
import { ItemAbout, ItemHead } from '@/components/claim/item-head'
import { ItemEvents } from '@/components/published/item-events'
import { RevealNote } from '@/components/published/reveal-note'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { ChainLink } from '@/components/ui/chain-link'
import { EmptyState } from '@/components/ui/empty-state'
import { Fact, Facts } from '@/components/ui/facts'
import { titleOf } from '@/components/ui/item-title'
import { Quoted } from '@/components/ui/quoted'
import { Skeleton } from '@/components/ui/skeleton'
import { Spinner } from '@/components/ui/spinner'
import { Problem } from '@/packages/client/src/call'
import { hasActed } from '../shared/has-acted'
import { later } from '../shared/later'
import type { NetworkFacts } from '../shared/network'
import { SellerFact } from '../shared/seller'
import { ShareButton } from '../shared/share-button'
import { getOwnItem, type Holder, listOwnItemHistory, type WalletItemInFull } from './items'
import { Loading } from './loading'
import { OwnPerks } from './own-perks'
import { goTo } from './place'
import { PlaceLink } from './place-link'
import { rememberSend, type RememberedSend, useRememberedSend } from './send/remembered-sends'
import type { Viewer } from './viewer'

const SendItem = later(() => import('./send/send-item').then((module) => module.SendItem), Loading)
const SentItem = later(() => import('./send/sent-item').then((module) => module.SentItem), Loading)

type Props = {
  itemId: string
  /** The item is being sent. */
  sends: boolean
  holder: Holder
  viewer: Viewer
  networks: NetworkFacts[]
  takesNames: boolean
}

/** One item that an address owns: what it is, where it is from, and what happened to it. */
export function OwnItemPage({ itemId, sends, holder, viewer, networks, takesNames }: Props) {
  const t = useTranslations('ownWallet.item')
  const tItems = useTranslations('ownWallet.items')
  const asked = useQuery({
    queryKey: ['item', holder.address, holder.proof, itemId],
    queryFn: () => getOwnItem(holder, itemId),
    retry: (failures, failure) => !isMissing(failure) && failures < 1,
    refetchInterval: sends ? 5_000 : 15_000,
  })
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (hasActed()) top.current?.focus()
  }, [])
  const item = asked.data
  const stored = useRememberedSend(viewer.address, itemId)
  const [sent, setSent] = useState<RememberedSend | null>(null)
  // It is shown also when it has ended and is forgotten.
  if (sent === null && stored !== null) setSent(stored)
  function forgetSent() {
    rememberSend(viewer.address, itemId, null)
    setSent(null)
  }
  const network = networks.find(({ id }) => id === item?.network_id) ?? null
  const list = { address: viewer.kind === 'watched' ? viewer.address : null, item: null }
  return (
    <div ref={top} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-8 outline-none">
      <p>
        <PlaceLink
          to={sends && !asked.isError ? { address: holder.address, item: itemId } : list}
          className="inline-flex items-center gap-1.5 rounded-sm text-muted hover:text-ink"
        >
          <ArrowLeft aria-hidden="true" className="size-4 rtl:-scale-x-100" />
          <span>{t(sends && !asked.isError ? 'back' : 'all')}</span>
        </PlaceLink>
      </p>
      {item && sends ? (
        <SendItem
          item={item}
          held={isMissing(asked.error) ? 0 : Number(item.quantity)}
          viewer={viewer}
          network={network}
          takesNames={takesNames}
        />
      ) : item && !asked.isError ? (
        <>
          <Shown item={item} holder={holder} isOwn={viewer.kind !== 'watched'} network={network} />
          <OwnPerks item={item} holder={holder} viewer={viewer} />
        </>
      ) : isMissing(asked.error) && sent && 'transferId' in sent ? (
        <SentItem
          send={sent}
          viewer={viewer}
          onEnd={() => rememberSend(viewer.address, itemId, null)}
          onForget={forgetSent}
        />
      ) : asked.isError ? (
        <NotShown isMissing={isMissing(asked.error)} viewer={viewer} onRetry={() => void asked.refetch()} />
      ) : asked.fetchStatus === 'paused' ? (
        <Alert tone="warning" live title={tItems('offline')}>
          {t('offline')}
        </Alert>
      ) : (
        <div className="grid gap-8 lg:grid-cols-2 lg:gap-12">
          <Skeleton className="aspect-square" />
          <Spinner label={t('looking')} />
        </div>
      )}
    </div>
  )
}

const isMissing = (failure: unknown): boolean =>
  failure instanceof Problem && (failure.status === 404 || failure.status === 400)

function NotShown({ isMissing, viewer, onRetry }: { isMissing: boolean; viewer: Viewer; onRetry: () => void }) {
  const t = useTranslations('ownWallet.item')
  const tCommon = useTranslations('common')
  if (!isMissing)
    return (
      <Alert tone="warning" live action={<Button onClick={onRetry}>{tCommon('tryAgain')}</Button>}>
        {t('failed')}
      </Alert>
    )
  return (
    <>
      <h1 className="sr-only">{t('heading')}</h1>
      <Card flush>
        <EmptyState title={t('missing')} action={<Button onClick={onRetry}>{t('lookAgain')}</Button>}>
          {t(viewer.kind === 'own' ? 'missingOwn' : 'missingOther')}
        </EmptyState>
      </Card>
    </>
  )
}

type ShownProps = { item: WalletItemInFull; holder: Holder; isOwn: boolean; network: NetworkFacts | null }

function Shown({ item, holder, isOwn, network }: ShownProps) {
  const t = useTranslations('ownWallet.item')
  const { collection } = item
  const title = titleOf(item, useLocale())
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-2 lg:items-start lg:gap-12">
        <ItemHead
          item={item}
          picture={<WidePicture item={item} />}
          quantity={Number(item.quantity)}
          prominence="large"
        />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <ItemAbout item={item} />
          <Provenance item={item} network={network} />
          {collection.reveal && <RevealNote reveal={collection.reveal} />}
          {/* The actions on the item stand here, below the facts. */}
          {isOwn && !collection.soulbound && (
            <Button
              variant="primary"
              size="lg"
              onClick={() => {
                goTo({ address: holder.address, item: item.id, sends: true })
                window.scrollTo(0, 0)
              }}
              icon={<Send aria-hidden="true" className="size-4.5 rtl:-scale-x-100" />}
              className="justify-self-start"
            >
              {t('send')}
            </Button>
          )}
          {item.is_public ? (
            <div className="flex flex-wrap gap-3 wrap-anywhere">
              <ShareButton text={t('shareText', { title })} path={`/i/${item.id}`} label={t('share')} />
              <LinkButton href={`/i/${item.id}`} prefetch={false}>
                {t('publicPage')}
              </LinkButton>
            </div>
          ) : (
            <p className="text-sm text-muted">{t('notPublic')}</p>
          )}
        </div>
      </div>
      <History item={item} holder={holder} explorerUrl={network?.explorerUrl ?? null} />
    </>
  )
}

const STANDARDS = { ERC721: 'ERC-721', ERC1155: 'ERC-1155' } as const

function Provenance({ item, network }: { item: WalletItemInFull; network: NetworkFacts | null }) {
  const t = useTranslations('ownWallet.facts')
  const { collection } = item
  return (
    <Facts className="rounded-md border bg-pane px-4 wrap-anywhere">
      <Fact name={t('collection')}>
        {item.is_public ? (
          <Link href={`/c/${collection.id}`} prefetch={false} className="rounded-sm underline underline-offset-3">
            <Quoted>{collection.name}</Quoted>
          </Link>
        ) : (
          <Quoted>{collection.name}</Quoted>
        )}
      </Fact>
      <Fact name={t('madeBy')}>
        <SellerFact seller={item.organization} />
      </Fact>
      {network && <Fact name={t('network')}>{network.name}</Fact>}
      <Fact name={t('contract')}>
        <ChainLink value={collection.contract} kind="address" explorerUrl={network?.explorerUrl ?? null} />
      </Fact>
      <Fact name={t('token')}>
        <span className="figures break-all">{item.token_id}</span>
      </Fact>
      <Fact name={t('standard')}>{STANDARDS[item.token_type]}</Fact>
      {collection.soulbound && <Fact name={t('transfers')}>{t('noTransfers')}</Fact>}
    </Facts>
  )
}

function History({
  item,
  holder,
  explorerUrl,
}: {
  item: WalletItemInFull
  holder: Holder
  explorerUrl: string | null
}) {
  const t = useTranslations('ownWallet.history')
  const tCommon = useTranslations('common')
  const tItems = useTranslations('ownWallet.items')
  const history = useInfiniteQuery({
    queryKey: ['history', holder.address, holder.proof, item.id],
    queryFn: ({ pageParam }) => listOwnItemHistory(holder, item.id, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.has_more ? page.cursor : null),
  })
  return (
    <Card title={t('title')} description={t('lead')} flush>
      {history.isSuccess ? (
        <ItemEvents entries={history.data.pages.flatMap((page) => page.results)} explorerUrl={explorerUrl} />
      ) : (
        <div className="px-6 pb-6">
          {history.isError ? (
            <Alert
              tone="warning"
              live
              action={<Button onClick={() => history.refetch()}>{tCommon('tryAgain')}</Button>}
            >
              {t('failed')}
            </Alert>
          ) : (
            <Spinner label={t('reading')} />
          )}
        </div>
      )}
      {history.hasNextPage && (
        <div className="grid p-4">
          <Button
            busy={history.isFetchingNextPage}
            onClick={() => history.fetchNextPage()}
            className="justify-self-center"
          >
            {tItems('more')}
          </Button>
        </div>
      )}
    </Card>
  )
}
