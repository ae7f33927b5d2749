'use client'

import type { SubmitEvent } from 'react'
import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import type { Call } from '@/lib/platform/api/endpoint'
import type { reportAbuse } from '@/lib/platform/api/abuse-reports'
import { api, route } from './api'
import { useFailureText } from './failure-text'

type Report = Call<typeof reportAbuse>['body']

const reportRoute = route<typeof reportAbuse>('POST', '/public/v1/abuse-reports')
const MAX_LENGTH = 2000

const REASONS = [
  'FRAUD',
  'IMPERSONATION',
  'INFRINGEMENT',
  'ILLEGAL',
  'OFFENSIVE',
  'SPAM',
  'OTHER',
] as const satisfies readonly Report['reason'][]

/** The form for reporting what a page shows, with its dialog. Loaded when it is asked for. */
export function ReportDialog({
  subject,
  open,
  onOpenChange,
}: {
  subject: Report['subject']
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const t = useTranslations('common.report')
  const tCommon = useTranslations('common')
  const [sent, setSent] = useState(false)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t(sent ? 'thanks' : 'open')}
      description={t(sent ? 'sent' : 'lead')}
    >
      {sent ? (
        <div className="flex justify-end">
          <DialogClose variant="primary">{tCommon('close')}</DialogClose>
        </div>
      ) : (
        <ReportForm subject={subject} onSent={() => setSent(true)} />
      )}
    </Dialog>
  )
}

function ReportForm({ subject, onSent }: { subject: Report['subject']; onSent: () => void }) {
  const t = useTranslations('common.report')
  const failureText = useFailureText()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const textOf = (name: string) => String(form.get(name) ?? '').trim() || null
    setBusy(true)
    setProblem(null)
    try {
      await api(reportRoute, {
        body: {
          subject,
          reason: String(form.get('reason')) as Report['reason'], // one of the options below
          detail: textOf('detail'),
          email: textOf('email'),
        },
      })
      onSent()
    } catch (failure) {
      setProblem(failureText(failure))
      setBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void send(event)} className="grid gap-4">
      <Field label={t('what')} required>
        <Select name="reason" defaultValue="">
          <option value="" disabled>
            {t('choose')}
          </option>
          {REASONS.map((reason) => (
            <option key={reason} value={reason}>
              {t(`reasons.${reason}`)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('more')} optional hint={t('moreHint')}>
        <Textarea name="detail" maxLength={MAX_LENGTH} />
      </Field>
      <Field label={t('email')} optional>
        <Input name="email" type="email" autoComplete="email" maxLength={254} />
      </Field>
      {problem && (
        <Alert tone="danger" live>
          {problem}
        </Alert>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <DialogClose />
        <Button type="submit" variant="primary" busy={busy}>
          {t('send')}
        </Button>
      </div>
    </form>
  )
}
