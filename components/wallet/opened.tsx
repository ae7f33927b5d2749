'use client'

import { Eye, Lock } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { later } from '../shared/later'
import type { NetworkFacts } from '../shared/network'
import { ExportKey } from './export-key'
import { Loading } from './loading'
import type { Place } from './place'
import { OwnItems } from './own-items'
import { QrCode } from './qr-code'
import { Recovery } from './recovery'
import { useRememberedWallet } from './remembered-wallet'
import { ReservedItems } from './reserved-items'
import { SentToMailboxes } from './send/sent-to-mailboxes'
import { SignMessage } from './sign-message'
import { type Proof, useProof } from './use-proof'
import type { Viewer } from './viewer'

const OwnItemPage = later(() => import('./own-item-page').then((module) => module.OwnItemPage), Loading)
const ProveConnected = later(() => import('./prove-connected').then((module) => module.ProveConnected), Loading)

type Props = {
  viewer: Viewer
  place: Place
  rpId: string
  networks: NetworkFacts[]
  takesNames: boolean
  onLeave: () => void
}

/** The content of an open wallet: its list, or one item of it. */
export function Opened({ viewer, place, rpId, networks, takesNames, onLeave }: Props) {
  const t = useTranslations('ownWallet')
  const proof = useProof(viewer)
  const holder = { address: viewer.address, proof: proof.proof }
  return (
    <div className="grid animate-arrive grid-cols-[minmax(0,1fr)] gap-10">
      {!place.item && <Whose viewer={viewer} onLeave={onLeave} />}
      <Limits viewer={viewer} proof={proof} networks={networks} onLeave={onLeave} />
      {proof.isPending ? (
        <Spinner label={t('opening')} />
      ) : place.item ? (
        <OwnItemPage
          key={place.item}
          itemId={place.item}
          sends={place.sends ?? false}
          holder={holder}
          viewer={viewer}
          networks={networks}
          takesNames={takesNames}
        />
      ) : (
        <>
          {viewer.kind === 'own' && <ReservedItems wallet={viewer.wallet} networks={networks} />}
          {viewer.kind !== 'watched' && <SentToMailboxes from={viewer.address} />}
          <OwnItems holder={holder} isOwn={viewer.kind !== 'watched'} networks={networks} />
          {viewer.kind === 'own' && (
            // Long words break in buttons, too, where text is large.
            <div className="grid grid-cols-[minmax(0,1fr)] gap-10 wrap-anywhere">
              <Recovery wallet={viewer.wallet} rpId={rpId} proof={proof.proof} />
              <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
                <ExportKey wallet={viewer.wallet} />
                <SignMessage wallet={viewer.wallet} />
              </div>
            </div>
          )}
        </>
      )}
    </div>
  )
}

function Whose({ viewer, onLeave }: { viewer: Viewer; onLeave: () => void }) {
  const t = useTranslations('ownWallet.whose')
  const tCommon = useTranslations('common')
  const isOwn = viewer.kind !== 'watched'
  return (
    <section aria-labelledby="address" className="grid items-center gap-6 sm:grid-cols-[auto_minmax(0,1fr)_auto]">
      <h1 className="sr-only">{isOwn ? tCommon('myWallet') : t('watchedTitle')}</h1>
      <QrCode text={viewer.address} label={t(isOwn ? 'yourCode' : 'theCode')} className="w-32" />
      <div className="grid gap-1.5">
        <h2 id="address" className="label-caps text-muted">
          {t(isOwn ? 'yourAddress' : 'theAddress')}
        </h2>
        <Address value={viewer.address} whole className="text-lg" />
        <p className="text-sm text-muted">{t('everywhere')}</p>
      </div>
      <Button
        onClick={onLeave}
        icon={viewer.kind === 'own' && <Lock aria-hidden="true" className="size-4" />}
        className="justify-self-start"
      >
        {t(viewer.kind === 'own' ? 'lock' : 'leave')}
      </Button>
    </section>
  )
}

/** Says what isn't shown, and what can be done about it. */
function Limits({
  viewer,
  proof,
  networks,
  onLeave,
}: {
  viewer: Viewer
  proof: Proof
  networks: NetworkFacts[]
  onLeave: () => void
}) {
  const t = useTranslations('ownWallet.whose')
  const tMake = useTranslations('wallet.make')
  const isRemembered = useRememberedWallet()?.address.toLowerCase() === viewer.address.toLowerCase()
  if (viewer.kind === 'watched')
    return (
      <Alert
        title={t(isRemembered ? 'locked' : 'looking')}
        action={
          <Button size="sm" onClick={onLeave} icon={<Eye aria-hidden="true" className="size-4" />}>
            {tMake('openMine')}
          </Button>
        }
      >
        {t('watched')}
      </Alert>
    )
  if (viewer.kind === 'connected' && proof.proof === null)
    return <ProveConnected address={viewer.address} networks={networks} onProof={proof.setProof} />
  if (proof.failed)
    return (
      <Alert tone="warning" live>
        {t('unproved')}
      </Alert>
    )
  return null
}
