'use client'

import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
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

const STOPS = [
  { name: 'Sent', hint: 'The network takes it in one of its next blocks.' },
  { name: 'Taken', hint: 'The network is making it permanent.' },
  { name: 'There', hint: 'It has arrived.' },
]

/** How far a transaction of the holder's own wallet is. It has arrived once the wallet's list has fewer of it. */
export function OwnSendProgress({ send, held, viewer, network, onEnd, onAgain }: Props) {
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
      <Step level={1} title="It wasn’t sent">
        <Alert tone="danger" live>
          The network took your transaction and turned it down: the receiver doesn’t take it, or your wallet didn’t have
          it any more. The fee was paid.
        </Alert>
        <Button variant="primary" size="lg" onClick={onAgain}>
          Send it again
        </Button>
      </Step>
    )
  return (
    <Step
      level={1}
      title="It’s on its way"
      lead={
        <>
          To <Address value={send.to} copy={false} />. You can close this page: it goes on without it.
        </>
      }
    >
      <Stops stops={STOPS} reached={outcome === 'mined' ? 1 : 0} />
      <p role="status" className="sr-only">
        {outcome === 'mined' ? 'The network has taken it and is making it permanent.' : 'It is sent.'}
      </p>
      <Button variant="quiet" onClick={onAgain} className="justify-self-start">
        Nothing is moving? Send it again
      </Button>
    </Step>
  )
}
