'use client'

import { Button } from '@/components/ui/button'
import { Step } from './step'

/** Shown in place of a page that couldn't be loaded, with a button to try again. */
export function LoadFailed({ lead, onRetry }: { lead: string; onRetry: () => void }) {
  return (
    <Step title="We can’t show this right now" lead={lead} takeFocus={false} level={1}>
      <Button size="lg" className="justify-self-start" onClick={onRetry}>
        Try again
      </Button>
    </Step>
  )
}
