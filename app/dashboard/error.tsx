'use client'

import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'

export default function DashboardError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <Alert tone="danger" live title="This page could not be shown." action={<Button onClick={reset}>Try again</Button>}>
      Something did not answer in time, or went wrong on our side. Nothing was changed.
      {error.digest && <span className="figures block pt-1 text-muted">{error.digest}</span>}
    </Alert>
  )
}
