import { useTranslations } from 'next-intl'
import { AskForLinks } from '@/components/shared/ask-for-links'
import { Step } from '@/components/shared/step'

/** Why a link can't be redeemed; what to do next is in the texts. */
export type ClosedReason = 'unknown' | 'expired' | 'locked' | 'revoked' | 'declined' | 'suspended' | 'replaced'

type Props = {
  reason: ClosedReason
  takeFocus?: boolean
  /** 1 where the page has no other heading. */
  level?: 1 | 2
}

export function Closed({ reason, takeFocus = false, level = 2 }: Props) {
  const t = useTranslations('claim.closed')
  return (
    <Step
      title={t(`${reason}.title`)}
      lead={t(`${reason}.next`)}
      takeFocus={takeFocus}
      level={level}
      className="max-w-xl"
    >
      <AskForLinks />
    </Step>
  )
}
