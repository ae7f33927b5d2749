import type { ReactElement, ReactNode } from 'react'
import { useLocale, useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { CopyButton } from '@/components/ui/copy-button'
import { Sentence } from '@/components/ui/sentence'
import { Stops } from '@/components/ui/stops'
import { shownEmail } from '@/lib/core/shown-email'
import { formatTagOf } from '@/lib/core/format-tag'
import { Step } from '../../shared/step'
import type { Viewer } from '../viewer'
import { ToItems } from './to-items'
import type { Transfer } from './transfers'

type Props = {
  transfer: Transfer
  /** Known to the browser that sent it; else null. */
  email: string | null
  /** Who keeps it, by name. */
  seller: string
  viewer: Viewer
  /** The note where it takes long. */
  late: ReactElement | false
}

const STOPS = ['asked', 'onItsWay', 'kept', 'theirs'] as const

/** Where an item is that was sent to a mailbox, until somebody has it for good. */
export function EscrowProgress({ transfer, email, seller, viewer, late }: Props) {
  const t = useTranslations('ownWallet.escrow')
  const escrow = transfer.escrow!
  const names = {
    name: seller,
    seller: (name: ReactNode) => <bdi>{name}</bdi>,
    recipient: () => (email === null ? t('mailbox') : <bdi className="wrap-anywhere">{shownEmail(email)}</bdi>),
  }
  const stops = STOPS.map((stop) => ({ name: t(`stops.${stop}`), hint: t(`stops.${stop}Hint`) }))
  switch (escrow.state) {
    case 'WAITING':
      return (
        <Step level={1} title={t('onItsWay')} lead={<Sentence>{t.rich('onItsWayLead', names)}</Sentence>}>
          <Stops stops={stops} reached={transfer.state === 'PENDING' ? 0 : 1} />
          {late}
          <Aloud>{t(transfer.state === 'PENDING' ? 'inTurn' : 'isSent')}</Aloud>
        </Step>
      )
    case 'HELD':
      return (
        <Step
          level={1}
          title={t('kept')}
          lead={
            escrow.held_until === null ? (
              <Sentence>{t.rich('keptSoon', names)}</Sentence>
            ) : (
              <Sentence>{t.rich('keptUntil', { ...names, moment: () => <When at={escrow.held_until!} /> })}</Sentence>
            )
          }
        >
          <Stops stops={stops} reached={2} />
          <p className="text-sm text-muted">{t('keptNote')}</p>
          <Aloud>{t('isKept')}</Aloud>
          <ToItems viewer={viewer} />
        </Step>
      )
    case 'TAKEN':
      return (
        <Ended title={t('taken')} aloud={t('isTaken')} viewer={viewer}>
          <Sentence>{t.rich('takenLead', names)}</Sentence>
        </Ended>
      )
    case 'RETURNING':
      return (
        <Ended title={t('returning')} aloud={t('isReturning')} viewer={viewer}>
          {t('returningLead')}
        </Ended>
      )
    case 'RETURNED':
      return (
        <Ended title={t('back')} aloud={t('isBack')} viewer={viewer}>
          {t('backLead')}
        </Ended>
      )
    case 'RETURN_REFUSED':
      return (
        <Step level={1} title={t('refused')}>
          <Alert tone="danger" live title={t('refusedTitle')}>
            <Sentence>{t.rich('refusedLead', names)}</Sentence>
            <span className="mt-2 flex items-center gap-1">
              <span dir="ltr" className="figures break-all">
                {transfer.id}
              </span>
              <CopyButton text={transfer.id} label={t('copyNumber')} />
            </span>
          </Alert>
          <ToItems viewer={viewer} />
        </Step>
      )
    case 'ENDED':
      return (
        <Ended title={t('ended')} aloud={t('isEnded')} viewer={viewer}>
          {t('endedLead')}
        </Ended>
      )
  }
}

type EndedProps = { title: string; aloud: string; viewer: Viewer; children: ReactNode }

/** Nothing more is to be done for it here. */
function Ended({ title, aloud, viewer, children }: EndedProps) {
  return (
    <Step level={1} title={title} lead={children}>
      <Aloud>{aloud}</Aloud>
      <ToItems viewer={viewer} />
    </Step>
  )
}

const Aloud = ({ children }: { children: ReactNode }) => (
  <p role="status" className="sr-only">
    {children}
  </p>
)

function When({ at }: { at: string }) {
  const tag = formatTagOf(useLocale())
  return (
    <time dateTime={at} className="font-medium">
      {new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long', year: 'numeric' }).format(new Date(at))}
    </time>
  )
}
