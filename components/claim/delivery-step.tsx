import { Button } from '@/components/ui/button'
import { Step } from '@/components/shared/step'
import { Arrived } from './arrived'
import type { ClaimView, Scene } from './claim'
import { Progress } from './progress'

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
  const { scene, claim, title, takeFocus, isMine, onSendAgain, hasWallet } = props
  if (!isMine)
    return (
      <Step
        title="This was claimed"
        lead="If it was you: your wallet has it, or will in a moment. Open the link where you claimed it to see more."
        takeFocus={takeFocus}
      />
    )
  if (scene === 'yours')
    return (
      <Step
        title={`${title} is yours`}
        lead="Nobody can take it back. Keep the email: its link always brings you back here."
        takeFocus={takeFocus}
      >
        <Progress reached={2} />
        <Arrived claim={claim} title={title} hasWallet={hasWallet} />
      </Step>
    )
  return (
    <Step
      title="It’s on its way to you"
      lead="You can close this page. The link in your email always brings you back here."
      takeFocus={takeFocus}
    >
      <Progress reached={scene === 'confirming' ? 0 : 1} />
      {onSendAgain && (
        <Button variant="quiet" onClick={onSendAgain} className="justify-self-start">
          Nothing is moving? Send it again
        </Button>
      )}
    </Step>
  )
}
