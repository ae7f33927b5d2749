'use client'

import { startTransition } from 'react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { Alert } from '@/components/ui/alert'
import { Button, LinkButton } from '@/components/ui/button'

/** Shown in place of a page that failed, within the dashboard's layout. */
export default function DashboardError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
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
      <h1 className="text-2xl font-medium">This page could not be shown</h1>
      <Alert
        tone="danger"
        live
        action={
          <>
            <Button onClick={again}>Try again</Button>
            {inMidList && (
              <LinkButton href={path} variant="quiet">
                To the start of the list
              </LinkButton>
            )}
            <LinkButton href="/dashboard" variant="quiet">
              To the overview
            </LinkButton>
          </>
        }
      >
        Something did not answer in time, or went wrong on our side. Nothing was changed.
        {error.digest && (
          <span className="block pt-1 text-muted">
            If it stays like this, tell whoever runs this installation the number{' '}
            <span className="figures">{error.digest}</span>: it stands in the log.
          </span>
        )}
      </Alert>
    </>
  )
}
