'use client'

import { useEffect, useRef, useState } from 'react'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft, Send } from 'lucide-react'
import { ItemAbout, ItemHead } from '@/components/claim/item-case'
import { ItemEvents } from '@/components/published/item-events'
import { RevealNote } from '@/components/published/reveal-note'
import { Alert } from '@/components/ui/alert'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ChainLink } from '@/components/ui/chain-link'
import { EmptyState } from '@/components/ui/empty-state'
import { Fact, Facts } from '@/components/ui/facts'
import { titleOf } from '@/components/ui/picture'
import { Skeleton } from '@/components/ui/skeleton'
import { Spinner } from '@/components/ui/spinner'
import { Problem } from '@/packages/client/src/call'
import { hasActed } from '../shared/has-acted'
import type { NetworkFacts } from '../shared/network'
import { SellerFact } from '../shared/seller'
import { ShareButton } from '../shared/share-button'
import { getOwnItem, type Holder, listOwnItemHistory, type WalletItemInFull } from './items'
import { OwnPerks } from './own-perks'
import { goTo } from './place'
import { PlaceLink } from './place-link'
import { rememberSend, type RememberedSend, useRememberedSend } from './send/remembered-sends'
import type { Viewer } from './viewer'

const loading = () => <Spinner label="One moment" />
const SendItem = dynamic(() => import('./send/send-item').then((module) => module.SendItem), { ssr: false, loading })
const SentItem = dynamic(() => import('./send/sent-item').then((module) => module.SentItem), { ssr: false, loading })

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
          <ArrowLeft aria-hidden="true" className="size-4" />
          {sends && !asked.isError ? 'The item' : 'All items'}
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
        <Alert tone="warning" live title="You are offline">
          The item is shown once you are connected again. It is safe: it is on the network, not here.
        </Alert>
      ) : (
        <div className="grid gap-8 lg:grid-cols-2 lg:gap-12">
          <Skeleton className="aspect-square" />
          <Spinner label="Looking for it" />
        </div>
      )}
    </div>
  )
}

const isMissing = (failure: unknown): boolean =>
  failure instanceof Problem && (failure.status === 404 || failure.status === 400)

function NotShown({ isMissing, viewer, onRetry }: { isMissing: boolean; viewer: Viewer; onRetry: () => void }) {
  if (!isMissing)
    return (
      <Alert tone="warning" live action={<Button onClick={onRetry}>Try again</Button>}>
        This item can’t be shown right now. It is safe: it is on the network, not here.
      </Alert>
    )
  return (
    <>
      <h1 className="sr-only">An item</h1>
      <Card flush>
        <EmptyState title="It isn’t shown here" action={<Button onClick={onRetry}>Look again</Button>}>
          {viewer.kind === 'own'
            ? 'This wallet doesn’t have it, or it hasn’t arrived yet.'
            : 'This address doesn’t have it, it hasn’t arrived yet, or it isn’t public and only its open wallet shows it.'}
        </EmptyState>
      </Card>
    </>
  )
}

type ShownProps = { item: WalletItemInFull; holder: Holder; isOwn: boolean; network: NetworkFacts | null }

function Shown({ item, holder, isOwn, network }: ShownProps) {
  const { collection } = item
  const title = titleOf(item)
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-2 lg:items-start lg:gap-12">
        <ItemHead item={item} quantity={Number(item.quantity)} prominence="large" />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <ItemAbout item={item} />
          <Provenance item={item} network={network} />
          {collection.reveal && <RevealNote reveal={collection.reveal} />}
          {/* What can be done with the item stands here, below the facts. */}
          {isOwn && !collection.soulbound && (
            <Button
              variant="primary"
              size="lg"
              onClick={() => {
                goTo({ address: holder.address, item: item.id, sends: true })
                window.scrollTo(0, 0)
              }}
              icon={<Send aria-hidden="true" className="size-4.5" />}
              className="justify-self-start"
            >
              Send it
            </Button>
          )}
          {item.is_public ? (
            <div className="flex flex-wrap gap-3">
              <ShareButton text={`I have “${title}”.`} path={`/i/${item.id}`} label="Share it" />
              <LinkButton href={`/i/${item.id}`} prefetch={false}>
                Its public page
              </LinkButton>
            </div>
          ) : (
            <p className="text-sm text-muted">
              Its collection isn’t public, so it has no page that others could open. Only its owner sees it here.
            </p>
          )}
        </div>
      </div>
      <History item={item} holder={holder} explorerUrl={network?.explorerUrl ?? null} />
    </>
  )
}

function Provenance({ item, network }: { item: WalletItemInFull; network: NetworkFacts | null }) {
  const { collection } = item
  return (
    <Facts className="rounded-md border bg-pane px-4">
      <Fact name="Collection">
        {item.is_public ? (
          <Link href={`/c/${collection.id}`} prefetch={false} className="rounded-sm underline underline-offset-3">
            <span dir="auto">{collection.name}</span>
          </Link>
        ) : (
          <span dir="auto">{collection.name}</span>
        )}
      </Fact>
      <Fact name="Made by">
        <SellerFact seller={item.organization} />
      </Fact>
      {network && <Fact name="Network">{network.name}</Fact>}
      <Fact name="Contract">
        <ChainLink value={collection.contract} kind="address" explorerUrl={network?.explorerUrl ?? null} />
      </Fact>
      <Fact name="Token">
        <span className="figures break-all">{item.token_id}</span>
      </Fact>
      <Fact name="Standard">{item.token_type === 'ERC721' ? 'ERC-721' : 'ERC-1155'}</Fact>
      {collection.soulbound && <Fact name="Transfers">None: it stays with whoever gets it</Fact>}
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
  const history = useInfiniteQuery({
    queryKey: ['history', holder.address, holder.proof, item.id],
    queryFn: ({ pageParam }) => listOwnItemHistory(holder, item.id, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.has_more ? page.cursor : null),
  })
  return (
    <Card title="History" description="As recorded on the chain, newest first." flush>
      {history.isSuccess ? (
        <ItemEvents entries={history.data.pages.flatMap((page) => page.results)} explorerUrl={explorerUrl} />
      ) : (
        <div className="px-6 pb-6">
          {history.isError ? (
            <Alert tone="warning" live action={<Button onClick={() => history.refetch()}>Try again</Button>}>
              Its history can’t be shown right now.
            </Alert>
          ) : (
            <Spinner label="Reading its history" />
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
            Show more
          </Button>
        </div>
      )}
    </Card>
  )
}
