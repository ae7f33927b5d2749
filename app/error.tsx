'use client'

import { useTranslations } from 'next-intl'
import { Frame } from '@/components/shared/frame'
import { loadAnew } from '@/components/shared/load-anew'
import { LoadFailed } from '@/components/shared/load-failed'

/** Shown in place of any page that failed and has no words of its own for that. */
export default function PageFailed() {
  const t = useTranslations('common')
  return (
    <Frame>
      <LoadFailed lead={t('pageFailed')} onRetry={loadAnew} />
    </Frame>
  )
}
