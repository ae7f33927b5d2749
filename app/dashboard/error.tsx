'use client'

import { startTransition } from 'react'
import { useTranslations } from 'next-intl'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { CopyButton } from '@/components/ui/copy-button'
import { Sentence } from '@/components/ui/sentence'
import { useShownOnce } from '@/components/dashboard/forms/shown-once'
import { isScriptMissing, loadAnew } from '@/components/shared/load-anew'

/** Shown in place of a page that failed, within the dashboard's layout. */
export default function DashboardError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations('dashboard.common')
  const router = useRouter()
  const path = usePathname()
  const inMidList = useSearchParams().has('cursor')
  const secret = useShownOnce(path)
  const again = () => {
    if (isScriptMissing(error)) return loadAnew()
    startTransition(() => {
      router.refresh() // loads the page again; reset alone would render the same failed response
      reset()
    })
  }
  return (
    <>
      <h1 className="text-2xl font-medium">{t('failed')}</h1>
      <Alert
        tone="danger"
        live
        action={
          <>
            <Button onClick={again}>{t('tryAgain')}</Button>
            {inMidList && (
              <LinkButton href={path} variant="quiet">
                {t('toFirstPage')}
              </LinkButton>
            )}
            <LinkButton href="/dashboard" variant="quiet">
              {t('toOverview')}
            </LinkButton>
          </>
        }
      >
        <span>{t('failedWhy')}</span>
        {secret !== null && (
          <div className="grid gap-1 pt-2">
            <p>{t('shownOnce')}</p>
            <p className="flex flex-wrap items-center justify-between gap-2">
              <code className="figures min-w-0 break-all">{secret}</code>
              <CopyButton text={secret} label={t('copySecret')} showLabel />
            </p>
          </div>
        )}
        {error.digest && (
          <span className="block pt-1 text-muted">
            <Sentence>
              {t.rich('failedNumber', {
                digest: error.digest,
                number: (digest) => <span className="figures">{digest}</span>,
              })}
            </Sentence>
          </span>
        )}
      </Alert>
    </>
  )
}
