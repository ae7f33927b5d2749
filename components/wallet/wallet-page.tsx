'use client'

import { useEffect, useState } from 'react'
import { useTranslations } from 'next-intl'
import type { Address } from 'viem'
import { Button } from '@/components/ui/button'
import { later } from '../shared/later'
import type { NetworkFacts } from '../shared/network'
import { Queries } from '../shared/queries'
import { deviceNow } from '../shared/server-clock'
import { Loading } from './loading'
import { MakeWallet } from './make-wallet'
import type { OpenWallet } from './open-wallet'
import type { OtherWay } from './other-wallets'
import { goTo, usePlace } from './place'
import type { Viewer } from './viewer'

export type WalletPageProps = {
  rpId: string
  networks: NetworkFacts[]
  /** Whether ENS names can be looked up. */
  takesNames: boolean
}

const loadOpened = () => import('./opened').then((module) => module.Opened)
const Opened = later(loadOpened, Loading)
const OtherWallets = later(() => import('./other-wallets').then((module) => module.OtherWallets), Loading)

/** Minutes in the background after which the wallet locks itself. */
const LOCK_MINUTES = 5

export function WalletPage({ rpId, networks, takesNames }: WalletPageProps) {
  const t = useTranslations('common')
  const place = usePlace()
  const [wallet, setWallet] = useState<OpenWallet | null>(null)
  const [connected, setConnected] = useState<Address | null>(null)
  const [wasOpen, setWasOpen] = useState(false)
  useLockWhenAway(() => setWallet(null))

  const viewer = viewerOf(wallet, connected, place.address)
  /** The key of the cache. Each viewer has a cache of its own: data that an open wallet showed must not stay. */
  const key = viewer ? `${viewer.kind} ${viewer.address}` : 'closed'

  return (
    <Queries key={key}>
      {viewer ? (
        <Opened
          viewer={viewer}
          place={place}
          rpId={rpId}
          networks={networks}
          takesNames={takesNames}
          onLeave={() => {
            setWallet(null)
            setConnected(null)
            goTo(viewer.kind === 'watched' ? { ...place, address: null } : { address: null, item: null })
          }}
        />
      ) : (
        <div className="mx-auto grid max-w-md gap-8 pt-6 sm:pt-14">
          <h1 className="sr-only">{t('myWallet')}</h1>
          <MakeWallet
            rpId={rpId}
            purpose="open"
            ready="openMine"
            takeFocus={wasOpen}
            onReady={(opened) => {
              setWallet(opened)
              setWasOpen(true)
            }}
          />
          <Others
            networks={networks}
            takesNames={takesNames}
            onConnected={setConnected}
            onAddress={(address) => goTo({ ...place, address })}
          />
        </div>
      )}
    </Queries>
  )
}

function viewerOf(wallet: OpenWallet | null, connected: Address | null, looked: Address | null): Viewer | null {
  if (wallet) return { kind: 'own', address: wallet.address, wallet }
  if (connected) return { kind: 'connected', address: connected }
  return looked && { kind: 'watched', address: looked }
}

/** The ways to see what one has in another wallet. */
function Others(props: {
  networks: NetworkFacts[]
  takesNames: boolean
  onConnected: (address: Address) => void
  onAddress: (address: Address) => void
}) {
  const t = useTranslations('ownWallet.others')
  const tWallet = useTranslations('wallet')
  const [way, setWay] = useState<OtherWay | null>(null)
  if (way)
    return (
      <div className="grid gap-4 border-t pt-6">
        <OtherWallets {...props} way={way} />
        <Button variant="quiet" onClick={() => setWay(null)}>
          {tWallet('make.back')}
        </Button>
      </div>
    )
  return (
    <section aria-labelledby="others" className="grid gap-3 border-t pt-6">
      <h2 id="others" className="font-medium">
        {t('title')}
      </h2>
      <div className="grid gap-2">
        <Button onClick={() => setWay('connect')}>{tWallet('connect.title')}</Button>
        <Button onClick={() => setWay('paste')}>{t('look')}</Button>
      </div>
    </section>
  )
}

/** Locks when the page becomes visible after too long in the background, and when it is unloaded. */
function useLockWhenAway(lock: () => void) {
  useEffect(() => {
    let leftAt = 0
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') leftAt = deviceNow()
      else if (leftAt && deviceNow() - leftAt > LOCK_MINUTES * 60_000) lock()
    }
    document.addEventListener('visibilitychange', onVisibility)
    window.addEventListener('pagehide', lock)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      window.removeEventListener('pagehide', lock)
    }
  })
}
