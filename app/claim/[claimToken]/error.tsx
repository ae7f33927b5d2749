'use client'

import { useTranslations } from 'next-intl'
import { BareFrame } from '@/components/shared/bare-frame'
import { loadAnew } from '@/components/shared/load-anew'
import { LoadFailed } from '@/components/shared/load-failed'

export default function ClaimFailed() {
  const t = useTranslations('common')
  return (
    <BareFrame>
      <LoadFailed lead={t('linkFailed')} onRetry={loadAnew} />
    </BareFrame>
  )
}
