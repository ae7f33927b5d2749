'use client'

import { useEffect } from 'react'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Quoted } from '@/components/ui/quoted'
import { Sentence } from '@/components/ui/sentence'
import { later } from '@/components/shared/later'
import { Step } from '@/components/shared/step'
import type { ClaimView, Scene } from './claim'
import { Progress } from './progress'

const loadArrived = () => import('./arrived').then((module) => module.Arrived)
const Arrived = later(loadArrived)

export type DeliveryStepProps = {
  scene: Extract<Scene, 'confirming' | 'on_its_way' | 'yours'>
  claim: ClaimView
  title: string
  takeFocus: boolean
  /** It was claimed in this browser. To everybody else the page says that it was claimed, and not by whom. */
  isMine: boolean
  /** Offers to send the voucher once more; null where this browser sent none. */
  onSendAgain: (() => void) | null
  /** The recipient's wallet can be opened in this browser. */
  hasWallet: boolean
}

/** From redeemed to delivered. One component, so that its heading takes the focus once and not at every change. */
export function DeliveryStep(props: DeliveryStepProps) {
  const t = useTranslations('claim.delivery')
  const { scene, claim, title, takeFocus, isMine, onSendAgain, hasWallet } = props
  useEffect(() => {
    // Loaded ahead of its use; a failure shows when it is needed.
    if (isMine) loadArrived().catch(() => undefined)
  }, [isMine])
  if (!isMine) return <Step title={t('claimedTitle')} lead={t('claimedLead')} takeFocus={takeFocus} />
  if (scene === 'yours')
    return (
      <Step
        title={<Sentence>{t.rich('yoursTitle', { title, item: () => <Quoted>{title}</Quoted> })}</Sentence>}
        lead={t('yoursLead')}
        takeFocus={takeFocus}
      >
        <Progress reached={2} />
        <Arrived claim={claim} title={title} hasWallet={hasWallet} />
      </Step>
    )
  return (
    <Step title={t('comingTitle')} lead={t('comingLead')} takeFocus={takeFocus}>
      <Progress reached={scene === 'confirming' ? 0 : 1} />
      {onSendAgain && (
        <Button variant="quiet" onClick={onSendAgain} className="justify-self-start">
          {t('again')}
        </Button>
      )}
    </Step>
  )
}
