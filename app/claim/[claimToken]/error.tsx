'use client'

import { useTranslations } from 'next-intl'
import { Frame } from '@/components/shared/frame'
import { LoadFailed } from '@/components/shared/load-failed'

export default function ClaimFailed({ reset }: { reset: () => void }) {
  const t = useTranslations('common')
  return (
    <Frame>
      <LoadFailed lead={t('linkFailed')} onRetry={reset} />
    </Frame>
  )
}
