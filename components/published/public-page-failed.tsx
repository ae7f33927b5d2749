'use client'

import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'

/** Shown in place of a public page that couldn't be loaded. */
export function PublicPageFailed({ reset }: { reset: () => void }) {
  const t = useTranslations('common')
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center justify-items-center gap-5 px-5 text-center">
      <h1 className="text-2xl font-medium">{t('loadFailed')}</h1>
      <Button size="lg" onClick={reset}>
        {t('tryAgain')}
      </Button>
    </main>
  )
}
