'use client'

import { startTransition } from 'react'
import { useTranslations } from 'next-intl'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { Alert } from '@/components/ui/alert'
import { Button, LinkButton } from '@/components/ui/button'

/** Shown in place of a page that failed, within the dashboard's layout. */
export default function DashboardError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations('dashboard.common')
  const router = useRouter()
  const path = usePathname()
  const inMidList = useSearchParams().has('cursor')
  const again = () =>
    startTransition(() => {
      router.refresh() // loads the page again; reset alone would render the same failed response
      reset()
    })
  return (
    <>
      <h1 className="text-2xl font-medium">{t('failed')}</h1>
      <Alert
        tone="danger"
        live
        action={
          <>
            <Button onClick={again}>Try again</Button>
            {inMidList && (
              <LinkButton href={path} variant="quiet">
                Back to the first page
              </LinkButton>
            )}
            <LinkButton href="/dashboard" variant="quiet">
              {t('toOverview')}
            </LinkButton>
          </>
        }
      >
        Something took too long, or went wrong on our side. Nothing was changed.
        {error.digest && (
          <span className="block pt-1 text-muted">
            If this keeps happening, tell the person who runs this installation the number{' '}
            <span className="figures">{error.digest}</span>. It is in the log.
          </span>
        )}
      </Alert>
    </>
  )
}
