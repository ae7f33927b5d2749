import { useTranslations } from 'next-intl'
import { Step } from '@/components/shared/step'

/** Why nothing can be bought here; what to do next is in the texts. */
export type ClosedReason = 'unknown_listing' | 'sold_out' | 'gone' | 'paused' | 'ended' | 'suspended' | 'cancelled'

type Props = {
  reason: ClosedReason
  /** 1 where the page has no other heading. */
  level?: 1 | 2
}

export function Closed({ reason, level = 2 }: Props) {
  const t = useTranslations('checkout.closed')
  return (
    <Step
      title={t(`${reason}.title`)}
      lead={t(`${reason}.next`)}
      takeFocus={false}
      level={level}
      className="max-w-xl"
    />
  )
}
