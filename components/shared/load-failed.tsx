'use client'

import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Step } from './step'

/** Shown in place of a page that couldn't be loaded, with a button to try again. */
export function LoadFailed({ lead, onRetry }: { lead: string; onRetry: () => void }) {
  const t = useTranslations('common')
  return (
    <Step title={t('loadFailed')} lead={lead} takeFocus={false} level={1}>
      <Button size="lg" className="justify-self-start" onClick={onRetry}>
        {t('tryAgain')}
      </Button>
    </Step>
  )
}
