'use client'

import { useTranslations } from 'next-intl'
import { loadAnew } from '@/components/shared/load-anew'

/**
 * Shown in place of any page that failed and has no words of its own for that. It uses no other component, since every
 * page loads it.
 */
export default function PageFailed() {
  const t = useTranslations('common')
  return (
    <main className="mx-auto grid max-w-md justify-items-start gap-4 px-5 py-16">
      <h1 className="text-2xl font-medium">{t('loadFailed')}</h1>
      <p className="text-muted">{t('pageFailed')}</p>
      <button
        type="button"
        onClick={loadAnew}
        className={
          'min-h-12 rounded-md border border-press-edge bg-press px-5 font-medium text-press-ink hover:bg-press/86'
        }
      >
        {t('tryAgain')}
      </button>
    </main>
  )
}
