'use client'

import { useTranslations } from 'next-intl'
import { Frame } from '@/components/shared/frame'
import { loadAnew } from '@/components/shared/load-anew'
import { LoadFailed } from '@/components/shared/load-failed'

export default function ListingFailed() {
  const t = useTranslations('common')
  return (
    <Frame>
      <LoadFailed lead={t('buyingFailed')} onRetry={loadAnew} />
    </Frame>
  )
}
