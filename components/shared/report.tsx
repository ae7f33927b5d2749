'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import type { Call } from '@/lib/platform/api/endpoint'
import type { reportAbuse } from '@/lib/platform/api/abuse-reports'
import { later } from './later'

const ReportDialog = later(() => import('./report-dialog').then((module) => module.ReportDialog))

/** A quiet button that opens the form for reporting what the page shows to those who run this service. */
export function ReportAbuse({ subject }: { subject: Call<typeof reportAbuse>['body']['subject'] }) {
  const t = useTranslations('common.report')
  // null: it was never opened, and its script isn't loaded.
  const [open, setOpen] = useState<boolean | null>(null)
  return (
    <>
      <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setOpen(true)}>
        {t('open')}
      </Button>
      {open !== null && <ReportDialog subject={subject} open={open} onOpenChange={setOpen} />}
    </>
  )
}
