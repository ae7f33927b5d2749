'use client'

import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { Stops } from '@/components/ui/stops'
import { Problem } from '@/packages/client/src/call'
import { failureSentence } from '../../shared/api'
import type { NetworkFacts } from '../../shared/network'
import { Step } from '../../shared/step'
import { useChanges } from '../../shared/use-changes'
import type { Viewer } from '../viewer'
import { EscrowProgress } from './escrow-progress'
import type { AskedSend } from './remembered-sends'
import { Sent } from './sent'
import { askTransferVersion, FAILURES, getTransfer, type Transfer } from './transfers'

type Props = {
  send: AskedSend
  /** Whose collection the item is of, by name. */
  seller: string
  viewer: Viewer
  network: NetworkFacts | null
  /** It has ended, so nothing needs to be kept of it. */
  onEnd: () => void
  onAgain: () => void
}

const STOPS = [
  { name: 'Asked for', hint: 'It is sent in its turn.' },
  { name: 'On its way', hint: 'The network is making it permanent.' },
  { name: 'There', hint: 'It has arrived.' },
]

/** How far a transfer is that the organization sends and pays. */
export function TransferProgress({ send, seller, viewer, network, onEnd, onAgain }: Props) {
  const { transferId } = send
  const asked = useQuery({
    queryKey: ['transfer', transferId],
    queryFn: () => getTransfer(transferId),
  })
  const transfer = asked.data
  const isEnded = transfer !== undefined && isOver(transfer)
  useChanges(transferId, transfer && !isEnded ? askTransferVersion(transferId) : null, () => asked.refetch())
  useEffect(() => {
    if (isEnded) onEnd()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when it has ended
  }, [isEnded])

  if (!transfer && asked.error instanceof Problem && asked.error.status === 404)
    return (
      <Alert live action={<Button onClick={onAgain}>Send it</Button>}>
        Nothing is known here of a transfer of this item.
      </Alert>
    )
  if (!transfer)
    return asked.isError ? (
      <Alert tone="warning" live action={<Button onClick={() => void asked.refetch()}>Try again</Button>}>
        {failureSentence(asked.error)} What was asked for goes on meanwhile.
      </Alert>
    ) : (
      <Spinner label="Asking how far it is" />
    )
  const late = isLate(transfer, asked.dataUpdatedAt) && <Late transfer={transfer} seller={seller} />
  // A holder who sends it by hand meanwhile brings it there although the transfer fails.
  if (transfer.escrow && (transfer.state !== 'FAILED' || transfer.escrow.state !== 'ENDED'))
    return <EscrowProgress {...{ transfer, seller, viewer, late }} email={send.mailbox?.email ?? null} />
  if (transfer.state === 'COMPLETED')
    return <Sent to={transfer.to_address} hash={transfer.tx_hash} viewer={viewer} network={network} />
  if (transfer.state === 'FAILED')
    return (
      <Step level={1} title="It wasn’t sent">
        <Alert tone="danger" live>
          {FAILURES[transfer.failure!.code]}
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
          To <Address value={transfer.to_address} copy={false} />. You can close this page: it goes on without it.
        </>
      }
    >
      <Stops stops={STOPS} reached={transfer.state === 'SUBMITTED' ? 1 : 0} />
      {late}
      <p role="status" className="sr-only">
        {transfer.state === 'SUBMITTED' ? 'It is sent. The network is making it permanent.' : 'It is sent in its turn.'}
      </p>
    </Step>
  )
}

function Late({ transfer, seller }: { transfer: Transfer; seller: string }) {
  return (
    <Alert tone="warning" live title="It takes longer than usual">
      <bdi>{seller}</bdi> sends it as soon as it can, until{' '}
      {new Date(transfer.deadline * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}. If it can’t
      by then, nothing is moved and you keep it.
    </Alert>
  )
}

const isOver = ({ state, escrow }: Transfer): boolean =>
  escrow ? ['TAKEN', 'RETURNED', 'ENDED'].includes(escrow.state) : state === 'COMPLETED' || state === 'FAILED'

/** It is usually sent within seconds; without coins, our operator can't. */
const LATE_MS = 60_000

const isLate = ({ state, created_at }: Transfer, now: number): boolean =>
  state === 'PENDING' && now - Date.parse(created_at) > LATE_MS
