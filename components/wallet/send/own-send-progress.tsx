'use client'

import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Sentence } from '@/components/ui/sentence'
import { Stops } from '@/components/ui/stops'
import type { NetworkFacts } from '../../shared/network'
import { transactionOutcome } from '../../shared/relay'
import { Step } from '../../shared/step'
import type { Viewer } from '../viewer'
import type { OwnSend } from './remembered-sends'
import { Sent } from './sent'

type Props = {
  send: OwnSend
  /** Units that the wallet still has. */
  held: number
  viewer: Viewer
  network: NetworkFacts | null
  /** It has arrived, so nothing needs to be kept of it. */
  onEnd: () => void
  onAgain: () => void
}

const STOPS = ['sent', 'taken', 'there'] as const

/** How far a transaction of the holder's own wallet is. It has arrived once the wallet's list has fewer of it. */
export function OwnSendProgress({ send, held, viewer, network, onEnd, onAgain }: Props) {
  const t = useTranslations('ownWallet.transfer')
  const { data: outcome = 'pending' } = useQuery({
    queryKey: ['own-send', send.hash],
    queryFn: () => transactionOutcome(network!.id, send.hash),
    enabled: network !== null,
    refetchInterval: ({ state }) => (state.data === 'failed' || state.data === 'mined' ? false : 3_000),
  })
  const [sent, setSent] = useState(false)
  if (!sent && outcome === 'mined' && held <= send.held - send.quantity) setSent(true)
  useEffect(() => {
    if (sent) onEnd()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when it has arrived
  }, [sent])

  if (sent) return <Sent to={send.to} hash={send.hash} viewer={viewer} network={network} />
  if (outcome === 'failed')
    return (
      <Step level={1} title={t('notSent')}>
        <Alert tone="danger" live>
          {t('turnedDown')}
        </Alert>
        <Button variant="primary" size="lg" onClick={onAgain}>
          {t('again')}
        </Button>
      </Step>
    )
  return (
    <Step
      level={1}
      title={t('onItsWay')}
      lead={<Sentence>{t.rich('onItsWayLead', { address: () => <Address value={send.to} copy={false} /> })}</Sentence>}
    >
      <Stops
        stops={STOPS.map((stop) => ({ name: t(`stops.${stop}`), hint: t(`stops.${stop}Hint`) }))}
        reached={outcome === 'mined' ? 1 : 0}
      />
      <p role="status" className="sr-only">
        {t(outcome === 'mined' ? 'isTaken' : 'isSent')}
      </p>
      <Button variant="quiet" onClick={onAgain} className="justify-self-start">
        {t('stuck')}
      </Button>
    </Step>
  )
}
