import { Mail } from 'lucide-react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Time } from '@/components/ui/time'
import { Step } from '@/components/shared/step'
import type { ClaimView } from './claim'

export type StartStepProps = {
  claim: ClaimView
  problem: string | null
  sending: boolean
  takeFocus: boolean
  onRequestPin: () => void
}

/** The first step: the recipient has a PIN sent to the mailbox that the link came to. */
export function StartStep({ claim, problem, sending, takeFocus, onRequestPin }: StartStepProps) {
  return (
    <Step
      title="Someone sent you this"
      takeFocus={takeFocus}
      lead={
        <>
          To make sure that it reaches the right person, we send a PIN to{' '}
          {claim.email_hint ?? 'the address this link came to'}.
        </>
      }
    >
      {claim.delivery.state === 'FAILED' && (
        <Alert tone="warning" title="The last delivery did not arrive">
          {claim.delivery.failure ?? 'The network turned it down.'} Nothing is lost: ask for a new PIN and try again,
          with another address if you can.
        </Alert>
      )}
      {problem && (
        <Alert tone="danger" live>
          {problem}
        </Alert>
      )}
      <Button
        variant="primary"
        size="lg"
        busy={sending}
        onClick={onRequestPin}
        icon={<Mail aria-hidden="true" className="size-5" />}
      >
        Send me my PIN
      </Button>
      {claim.expires_at && (
        <p className="text-sm text-muted">
          You can take your time until <Time at={claim.expires_at} />.
        </p>
      )}
    </Step>
  )
}
