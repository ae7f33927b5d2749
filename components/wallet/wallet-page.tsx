'use client'

import { useEffect, useState } from 'react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ItemPicture, titleOf } from '@/components/ui/picture'
import { Skeleton } from '@/components/ui/skeleton'
import { ExportKey } from './export-key'
import { listOwnItems, listVouchers } from './items'
import { MakeWallet } from './make-wallet'
import { MintVoucher } from './mint-voucher'
import type { NetworkFacts } from '../shared/network'
import type { OpenWallet } from './open-wallet'
import { QrCode } from './qr-code'
import { Queries } from '../shared/queries'
import { SignMessage } from './sign-message'

export type WalletPageProps = { rpId: string; networks: NetworkFacts[] }

/** Minutes in the background after which the wallet locks itself. */
const LOCK_MINUTES = 5

export function WalletPage({ rpId, networks }: WalletPageProps) {
  const [wallet, setWallet] = useState<OpenWallet | null>(null)
  const [wasOpen, setWasOpen] = useState(false)
  useLockWhenAway(() => setWallet(null))

  return (
    <Queries>
      <h1 className="sr-only">My wallet</h1>
      {wallet ? (
        <Unlocked wallet={wallet} networks={networks} onLock={() => setWallet(null)} />
      ) : (
        <div className="mx-auto max-w-md pt-6 sm:pt-14">
          <MakeWallet
            rpId={rpId}
            purpose="open"
            ready="Open my wallet"
            takeFocus={wasOpen}
            onReady={(opened) => {
              setWallet(opened)
              setWasOpen(true)
            }}
          />
        </div>
      )}
    </Queries>
  )
}

function Unlocked({ wallet, networks, onLock }: { wallet: OpenWallet; networks: NetworkFacts[]; onLock: () => void }) {
  return (
    <div className="grid animate-arrive gap-10">
      <section aria-labelledby="address" className="grid items-center gap-6 sm:grid-cols-[auto_1fr_auto]">
        <QrCode text={wallet.address} label="Your address as a QR code" className="w-32" />
        <div className="grid gap-1.5">
          <h2 id="address" className="label-caps text-muted">
            Your address
          </h2>
          <Address value={wallet.address} whole className="text-lg" />
          <p className="text-sm text-muted">The same on every network.</p>
        </div>
        <Button onClick={onLock} icon={<Lock aria-hidden="true" className="size-4" />} className="justify-self-start">
          Lock
        </Button>
      </section>
      <Waiting wallet={wallet} networks={networks} />
      <Items wallet={wallet} networks={networks} />
      <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
        <ExportKey wallet={wallet} />
        <SignMessage wallet={wallet} />
      </div>
    </div>
  )
}

function Items({ wallet, networks }: { wallet: OpenWallet; networks: NetworkFacts[] }) {
  const items = useInfiniteQuery({
    queryKey: ['items', wallet.address],
    queryFn: ({ pageParam }) => listOwnItems(wallet.address, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.has_more ? page.cursor : null),
    refetchInterval: 15_000,
  })
  const owned = items.data?.pages.flatMap((page) => page.results) ?? []
  return (
    <section aria-labelledby="items" className="grid gap-5">
      <h2 id="items" className="text-xl font-medium">
        Your items
      </h2>
      {items.isPending && (
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-4">
          <Skeleton className="aspect-square" />
          <Skeleton className="aspect-square" />
        </div>
      )}
      {items.isError && (
        <Alert tone="warning" live action={<Button onClick={() => items.refetch()}>Try again</Button>}>
          Your items can’t be listed right now. They are safe: they are on the network, not here.
        </Alert>
      )}
      {items.isSuccess && owned.length === 0 && (
        <Card flush>
          <EmptyState title="Nothing here yet">What you receive appears here as soon as it has arrived.</EmptyState>
        </Card>
      )}
      {owned.length > 0 && (
        <ul className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3 lg:grid-cols-4">
          {owned.map((item) => (
            <li key={item.id} className="grid content-start gap-3">
              <span className="overflow-hidden rounded-lg border bg-pane p-2 shadow-rest">
                <ItemPicture item={item} size="thumb" className="aspect-square w-full rounded-md" />
              </span>
              <span className="border-l-2 border-glass pl-3">
                <span className="block font-medium wrap-anywhere">{titleOf(item)}</span>
                <span className="block text-sm text-muted">
                  {networks.find(({ id }) => id === item.network_id)?.name}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {items.hasNextPage && (
        <Button busy={items.isFetchingNextPage} onClick={() => items.fetchNextPage()} className="justify-self-center">
          Show more
        </Button>
      )}
    </section>
  )
}

/** Vouchers that this wallet can still redeem: items reserved for it. */
function Waiting({ wallet, networks }: { wallet: OpenWallet; networks: NetworkFacts[] }) {
  const [sent, setSent] = useState<string[]>([])
  const vouchers = useQuery({
    queryKey: ['vouchers', wallet.address],
    queryFn: () => listVouchers(wallet.address),
    refetchInterval: 15_000,
  })
  if (!vouchers.data?.length) return null
  return (
    <section aria-labelledby="waiting" className="grid gap-5">
      <h2 id="waiting" className="text-xl font-medium">
        Reserved for you
      </h2>
      {vouchers.data.map((entry) => {
        const network = networks.find(({ id }) => id === entry.network_id)
        const key = `${entry.contract}.${entry.voucher.token_id}.${entry.voucher.nonce}`
        if (!network) return null
        return (
          <Card
            key={key}
            title={`Number ${entry.voucher.token_id}`}
            description={`Collecting it takes a small fee, which goes to ${network.name}.`}
          >
            {sent.includes(key) ? (
              <Alert tone="positive" live>
                It is on its way to you.
              </Alert>
            ) : (
              <MintVoucher entry={entry} network={network} wallet={wallet} onSent={() => setSent([...sent, key])} />
            )}
          </Card>
        )
      })}
    </section>
  )
}

/** Locks when the page becomes visible after too long in the background, and when it is unloaded. */
function useLockWhenAway(lock: () => void) {
  useEffect(() => {
    let leftAt = 0
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') leftAt = Date.now()
      else if (leftAt && Date.now() - leftAt > LOCK_MINUTES * 60_000) lock()
    }
    document.addEventListener('visibilitychange', onVisibility)
    window.addEventListener('pagehide', lock)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      window.removeEventListener('pagehide', lock)
    }
  })
}
