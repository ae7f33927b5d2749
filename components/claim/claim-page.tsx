'use client'

import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { titleOf } from '@/components/ui/item-title'
import { useHydrated } from '@/components/ui/use-hydrated'
import { later } from '@/components/shared/later'
import type { NetworkFacts } from '@/components/shared/network'
import { Queries } from '@/components/shared/queries'
import { ReportAbuse } from '@/components/shared/report'
import type { OpenWallet } from '@/components/wallet/open-wallet'
import { useRememberedWallet } from '@/components/wallet/remembered-wallet'
import { reportOpened } from './claim'
import type { ClaimItem, ClaimView, Scene } from './claim'
import { Closed } from './closed'
import { DeliveryStep } from './delivery-step'
import { Details } from './details'
import { ItemAbout, ItemHead, type Prominence } from './item-head'
import { OneMoment, RedeemStep, WalletSteps } from './redeem-step'
import { useClaim } from './use-claim'
import { type RedeemStep as RedeemingStep, useRedeeming } from './use-redeeming'

const WidePicture = later(() => import('./item-case').then((module) => module.WidePicture))

export type ClaimPageProps = {
  token: string
  initial: ClaimView
  /** When, by the server's clock. */
  readAt: number
  item: ClaimItem
  /** The item's picture as the server has drawn it, whose script most browsers never need. */
  picture: ReactNode
  network: NetworkFacts
  rpId: string
  /** Whether ENS names can be looked up. */
  takesNames: boolean
  /** This browser redeemed it when it had no script. */
  redeemedWithoutScript: boolean
}

export function ClaimPage(props: ClaimPageProps) {
  return (
    <Queries>
      <Claim {...props} />
    </Queries>
  )
}

function Claim({
  token,
  initial,
  readAt: firstReadAt,
  item: firstItem,
  picture,
  network,
  rpId,
  takesNames,
  redeemedWithoutScript,
}: ClaimPageProps) {
  const t = useTranslations('claim')
  const { claim, scene, readAt, reload, sent, setSent } = useClaim(
    token,
    { claim: initial, readAt: firstReadAt },
    network.id,
  )
  const item = { ...(claim.item ?? firstItem), translations: claim.public_item?.translations }
  const title = titleOf(item, useLocale())
  const hasChanged = JSON.stringify(claim.item ?? firstItem) !== JSON.stringify(firstItem)
  const redeeming = useRedeeming({ token, readAt, isClaimed: claim.is_claimed, reload })
  const [wallet, setWallet] = useState<OpenWallet | null>(null)
  const rememberedAddress = useRememberedWallet()?.address ?? null
  const isMine = redeemedWithoutScript || redeeming.wasRedeemedHere || sent.hash !== null
  const hydrated = useHydrated()

  useEffect(() => {
    void reportOpened(token)
  }, [token])

  return (
    <div
      className={
        'grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-6 ' +
        'lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] lg:grid-rows-[auto_1fr]'
      }
    >
      <ItemHead
        item={item}
        picture={hasChanged ? <WidePicture item={item} /> : picture}
        quantity={Number(claim.quantity)}
        prominence={scene === 'open' ? ofStep[redeeming.step.at] : ofScene[scene]}
      />
      <section
        aria-label={t('page.section')}
        className="grid content-start gap-8 lg:col-start-2 lg:row-span-2 lg:row-start-1"
      >
        <p role="status" className="sr-only">
          {hydrated && (isMine || !claim.is_claimed) && announcements[scene] ? t(announcements[scene]) : ''}
        </p>
        {currentStep()}
        <Details claim={claim} network={network} sentHash={sent.hash} showsDelivery={isMine || !claim.is_claimed} />
        <ReportAbuse subject={{ type: 'CLAIM', claim_token: token }} />
      </section>
      <ItemAbout item={item} />
    </div>
  )

  function currentStep() {
    switch (scene) {
      case 'open':
        return (
          <RedeemStep
            claim={claim}
            token={token}
            takesNames={takesNames}
            title={title}
            network={network}
            rpId={rpId}
            redeeming={redeeming}
            takeFocus={hydrated}
            onDestination={(to) => {
              if (to.wallet) setWallet(to.wallet)
              void redeeming.deliver(to)
            }}
          />
        )
      case 'voucher':
        return (
          <>
            {sent.failed && (
              <Alert tone="danger" live>
                {t('status.voucherFailed')}
              </Alert>
            )}
            <WalletSteps
              network={network}
              step="voucher"
              voucher={{
                token,
                rpId,
                network,
                entry: claim.voucher!,
                wallet,
                madeHere: rememberedAddress?.toLowerCase() === claim.voucher!.minter.toLowerCase(),
                onWallet: setWallet,
                onSent: setSent,
              }}
            />
          </>
        )
      case 'confirming':
      case 'on_its_way':
      case 'yours':
        if (redeeming.isAskingAgain) return <OneMoment />
        return (
          <DeliveryStep
            scene={scene}
            claim={claim}
            title={title}
            takeFocus={hydrated}
            isMine={isMine}
            onSendAgain={sent.awaitsChain ? () => setSent(null) : null}
            hasWallet={wallet !== null || rememberedAddress !== null}
          />
        )
      case 'expired':
      case 'locked':
      case 'revoked':
      case 'declined':
      case 'replaced':
      case 'suspended':
        return <Closed reason={scene} takeFocus={hydrated} />
    }
  }
}

const ofStep = {
  start: 'beside_a_button',
  pin: 'thumbnail',
  destination: 'thumbnail',
} satisfies Record<RedeemingStep['at'], Prominence>

const ofScene = {
  voucher: 'thumbnail',
  confirming: 'beside_a_button',
  on_its_way: 'beside_a_button',
  yours: 'arrived',
  expired: 'beside_a_button',
  locked: 'beside_a_button',
  revoked: 'beside_a_button',
  declined: 'beside_a_button',
  replaced: 'beside_a_button',
  suspended: 'beside_a_button',
} satisfies Record<Exclude<Scene, 'open'>, Prominence>

const announcements = {
  open: null,
  voucher: 'status.voucher',
  confirming: 'status.confirming',
  on_its_way: 'status.on_its_way',
  yours: 'status.yours',
  expired: 'closed.expired.title',
  locked: 'closed.locked.title',
  revoked: 'closed.revoked.title',
  declined: 'closed.declined.title',
  replaced: 'closed.replaced.title',
  suspended: 'closed.suspended.title',
} as const satisfies Record<Scene, string | null>
