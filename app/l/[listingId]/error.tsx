'use client'

import { useTranslations } from 'next-intl'
import { Frame } from '@/components/shared/frame'
import { LoadFailed } from '@/components/shared/load-failed'

export default function ListingFailed({ reset }: { reset: () => void }) {
  const t = useTranslations('common')
  return (
    <Frame>
      <LoadFailed lead={t('buyingFailed')} onRetry={reset} />
    </Frame>
  )
}
