import { Button, LinkButton } from '@/components/ui/button'
import { Step } from '@/components/shared/step'
import type { Scene } from './claim'
import { Progress } from './progress'

export type DeliveryStepProps = {
  scene: Extract<Scene, 'confirming' | 'on_its_way' | 'yours'>
  title: string
  takeFocus: boolean
  /** Offers to send the voucher once more; null where this browser sent none. */
  onSendAgain: (() => void) | null
  /** The recipient's wallet can be opened in this browser. */
  hasWallet: boolean
}

/** From redeemed to delivered. One component, so that its heading takes the focus once and not at every change. */
export function DeliveryStep({ scene, title, takeFocus, onSendAgain, hasWallet }: DeliveryStepProps) {
  if (scene === 'yours')
    return (
      <Step
        title={`${title} is yours`}
        lead="Keep the email: its link always brings you back here."
        takeFocus={takeFocus}
      >
        <Progress reached={2} />
        {hasWallet && (
          <LinkButton href="/wallet" size="lg" variant="primary">
            Open my wallet
          </LinkButton>
        )}
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
