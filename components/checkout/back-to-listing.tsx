'use client'

import { useSearchParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import type { ButtonSize } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { keptQueryOf } from './kept-query'

/** The way back from a purchase to what was bought. */
export function BackToListing({ listingId, size = 'lg' }: { listingId: string; size?: ButtonSize }) {
  const t = useTranslations('purchase.step.yours')
  return (
    <LinkButton href={`/l/${listingId}${keptQueryOf(useSearchParams())}`} size={size} className="justify-self-start">
      {t('back')}
    </LinkButton>
  )
}
