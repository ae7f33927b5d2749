'use client'

import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Sentence } from '@/components/ui/sentence'
import { Spinner } from '@/components/ui/spinner'
import { Stops } from '@/components/ui/stops'
import { formatTagOf } from '@/lib/core/format-tag'
import { Problem } from '@/packages/client/src/call'
import type { NetworkFacts } from '../../shared/network'
import { serverNow } from '../../shared/server-clock'
import { Step } from '../../shared/step'
import { useChanges } from '../../shared/use-changes'
import { useWalletFailureText } from '../use-wallet-failure-text'
import type { Viewer } from '../viewer'
import { EscrowProgress } from './escrow-progress'
import type { AskedSend } from './remembered-sends'
import { Sent } from './sent'
import { askTransferVersion, getTransfer, type Transfer } from './transfers'

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

const STOPS = ['asked', 'onItsWay', 'there'] as const

/** How far a transfer is that the organization sends and pays. */
export function TransferProgress({ send, seller, viewer, network, onEnd, onAgain }: Props) {
  const t = useTranslations('ownWallet.transfer')
  const tItem = useTranslations('ownWallet.item')
  const tCommon = useTranslations('common')
  const failureText = useWalletFailureText()
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
      <Alert live action={<Button onClick={onAgain}>{tItem('send')}</Button>}>
        {t('unknown')}
      </Alert>
    )
  if (!transfer)
    return asked.isError ? (
      <Alert tone="warning" live action={<Button onClick={() => void asked.refetch()}>{tCommon('tryAgain')}</Button>}>
        {t('goesOn', { problem: failureText(asked.error) })}
      </Alert>
    ) : (
      <Spinner label={t('asking')} />
    )
  const late = isLate(transfer, serverNow()) && <Late transfer={transfer} seller={seller} />
  // A holder who sends it by hand meanwhile brings it there although the transfer fails.
  if (transfer.escrow && (transfer.state !== 'FAILED' || transfer.escrow.state !== 'ENDED'))
    return <EscrowProgress {...{ transfer, seller, viewer, late }} email={send.mailbox?.email ?? null} />
  if (transfer.state === 'COMPLETED')
    return <Sent to={transfer.to_address} hash={transfer.tx_hash} viewer={viewer} network={network} />
  if (transfer.state === 'FAILED')
    return (
      <Step level={1} title={t('notSent')}>
        <Alert tone="danger" live>
          {t(`failures.${transfer.failure!.code}`)}
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
      lead={
        <Sentence>
          {t.rich('onItsWayLead', { address: () => <Address value={transfer.to_address} copy={false} /> })}
        </Sentence>
      }
    >
      <Stops
        stops={STOPS.map((stop) => ({ name: t(`stops.${stop}`), hint: t(`stops.${stop}Hint`) }))}
        reached={transfer.state === 'SUBMITTED' ? 1 : 0}
      />
      {late}
      <p role="status" className="sr-only">
        {t(transfer.state === 'SUBMITTED' ? 'isSubmitted' : 'inTurn')}
      </p>
    </Step>
  )
}

function Late({ transfer, seller }: { transfer: Transfer; seller: string }) {
  const t = useTranslations('ownWallet.transfer')
  const clock = new Intl.DateTimeFormat(formatTagOf(useLocale()), { hour: '2-digit', minute: '2-digit' })
  return (
    <Alert tone="warning" live title={t('late')}>
      <Sentence>
        {t.rich('lateLead', {
          name: seller,
          seller: (name) => <bdi>{name}</bdi>,
          time: clock.format(new Date(transfer.deadline * 1000)),
        })}
      </Sentence>
    </Alert>
  )
}

const isOver = ({ state, escrow }: Transfer): boolean =>
  escrow ? ['TAKEN', 'RETURNED', 'ENDED'].includes(escrow.state) : state === 'COMPLETED' || state === 'FAILED'

/** It is usually sent within seconds; without coins, our operator can't. */
const LATE_MS = 60_000

const isLate = ({ state, created_at }: Transfer, now: number): boolean =>
  state === 'PENDING' && now - Date.parse(created_at) > LATE_MS
