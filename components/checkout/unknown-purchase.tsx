import { useTranslations } from 'next-intl'
import { AskForLinks } from '@/components/shared/ask-for-links'
import { Step } from '@/components/shared/step'
import { EmptyCase } from '@/components/ui/empty-state'

/** A whole page for a purchase whose secret this browser doesn't have. */
export function UnknownPurchase({ reason }: { reason: 'unknown_purchase' | 'back_from_bank' }) {
  const t = useTranslations('purchase.closed')
  return (
    <>
      <EmptyCase />
      <Step title={t(`${reason}.title`)} lead={t(`${reason}.next`)} takeFocus={false} level={1} className="max-w-xl">
        {reason === 'unknown_purchase' && <AskForLinks />}
      </Step>
    </>
  )
}
