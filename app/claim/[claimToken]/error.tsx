'use client'

import { useTranslations } from 'next-intl'
import { Frame } from '@/components/shared/frame'
import { loadAnew } from '@/components/shared/load-anew'
import { LoadFailed } from '@/components/shared/load-failed'

export default function ClaimFailed() {
  const t = useTranslations('common')
  return (
    <Frame>
      <LoadFailed lead={t('linkFailed')} onRetry={loadAnew} />
    </Frame>
  )
}
