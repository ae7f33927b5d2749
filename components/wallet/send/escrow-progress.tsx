import type { ReactNode } from 'react'
import { Alert } from '@/components/ui/alert'
import { CopyButton } from '@/components/ui/copy-button'
import { Stops } from '@/components/ui/stops'
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
  /** What to say where it takes long. */
  late: ReactNode
}

const STOPS = [
  { name: 'Asked for', hint: 'It is sent in its turn.' },
  { name: 'On its way', hint: 'Nobody is mailed before it has arrived where it is kept.' },
  { name: 'Kept for them', hint: 'They have a mail that says how to take it.' },
  { name: 'Theirs', hint: 'It is in their wallet.' },
]

/** Where an item is that was sent to a mailbox, until somebody has it for good. */
export function EscrowProgress({ transfer, email, seller, viewer, late }: Props) {
  const escrow = transfer.escrow!
  const recipient = email === null ? 'the mailbox that you named' : <bdi className="wrap-anywhere">{email}</bdi>
  const name = <bdi>{seller}</bdi>
  switch (escrow.state) {
    case 'WAITING':
      return (
        <Step
          level={1}
          title="It’s on its way"
          lead={<>To {recipient}. You can close this page: it goes on without it.</>}
        >
          <Stops stops={STOPS} reached={transfer.state === 'PENDING' ? 0 : 1} />
          {late}
          <Aloud>{transfer.state === 'PENDING' ? 'It is sent in its turn.' : 'It is sent.'}</Aloud>
        </Step>
      )
    case 'HELD':
      return (
        <Step
          level={1}
          title="It is kept for them"
          lead={
            escrow.held_until === null ? (
              <>
                {name} has it and mails {recipient} in a moment.
              </>
            ) : (
              <>
                {name} has mailed {recipient}. It can be taken until <When at={escrow.held_until} />.
              </>
            )
          }
        >
          <Stops stops={STOPS} reached={2} />
          <p className="text-sm text-muted">
            If they decline it or don’t take it by then, it comes back to your address. You can close this page: this
            browser’s list of what you sent leads here again.
          </p>
          <Aloud>It is kept for them.</Aloud>
          <ToItems viewer={viewer} />
        </Step>
      )
    case 'TAKEN':
      return (
        <Ended title="They have taken it" viewer={viewer}>
          It was for {recipient}, and is in a wallet of theirs now.
        </Ended>
      )
    case 'RETURNING':
      return (
        <Step
          level={1}
          title="It’s on its way back"
          lead={<>Nobody took it, or it was declined. It comes back to your address by itself.</>}
        >
          <Aloud>It is on its way back to your address.</Aloud>
          <ToItems viewer={viewer} />
        </Step>
      )
    case 'RETURNED':
      return (
        <Ended title="It is back" viewer={viewer}>
          Nobody took it, or it was declined. You have it again, and can send it to somebody else.
        </Ended>
      )
    case 'RETURN_REFUSED':
      return (
        <Step level={1} title="It couldn’t come back">
          <Alert tone="danger" live title="Your address doesn’t take it">
            Nobody took it, or it was declined, and your address is a contract that refuses it. Nothing is lost: {name}{' '}
            still keeps it. Once your contract takes it, write to {name} with the number of this transfer, and they send
            it once more:
            <span className="mt-2 flex items-center gap-1">
              <span className="figures break-all">{transfer.id}</span>
              <CopyButton text={transfer.id} label="Copy the number" />
            </span>
          </Alert>
          <ToItems viewer={viewer} />
        </Step>
      )
    case 'ENDED':
      return (
        <Ended title="It wasn’t sent" viewer={viewer}>
          The network took back what had been sent, and nobody can take it. You still have it.
        </Ended>
      )
  }
}

function Ended({ title, viewer, children }: { title: string; viewer: Viewer; children: ReactNode }) {
  return (
    <Step level={1} title={title} lead={children}>
      <Aloud>{title}.</Aloud>
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
  return (
    <time dateTime={at} className="font-medium">
      {new Date(at).toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric' })}
    </time>
  )
}
