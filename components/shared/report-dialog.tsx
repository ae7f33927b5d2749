'use client'

import type { SubmitEvent } from 'react'
import { useState } from 'react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import type { Call } from '@/lib/platform/api/endpoint'
import type { reportAbuse } from '@/lib/platform/api/abuse-reports'
import { api, failureSentence, route } from './api'

type Report = Call<typeof reportAbuse>['body']

const reportRoute = route<typeof reportAbuse>('POST', '/public/v1/abuse-reports')
const MAX_LENGTH = 2000

const reasons = {
  FRAUD: 'It looks like fraud',
  IMPERSONATION: 'Somebody pretends to be somebody else',
  INFRINGEMENT: 'It uses somebody’s work without permission',
  ILLEGAL: 'It is illegal',
  OFFENSIVE: 'It is hateful, violent or sexual',
  SPAM: 'I didn’t ask for it',
  OTHER: 'Something else',
} satisfies Record<Report['reason'], string>

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
  const [sent, setSent] = useState(false)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={sent ? 'Thank you' : 'Report this'}
      description={
        sent
          ? 'Your report is with those who run this service. They read it and decide what to do. The seller or sender isn’t told of it.'
          : 'Your report goes to those who run this service, not to the seller or sender. They read it and may stop what you report. They write to you only if you leave an address and they have a question or an answer.'
      }
    >
      {sent ? (
        <div className="flex justify-end">
          <DialogClose variant="primary">Close</DialogClose>
        </div>
      ) : (
        <ReportForm subject={subject} onSent={() => setSent(true)} />
      )}
    </Dialog>
  )
}

function ReportForm({ subject, onSent }: { subject: Report['subject']; onSent: () => void }) {
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
      setProblem(failureSentence(failure))
      setBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void send(event)} className="grid gap-4">
      <Field label="What is wrong?" required>
        <Select name="reason" defaultValue="">
          <option value="" disabled>
            Choose one
          </option>
          {Object.entries(reasons).map(([reason, words]) => (
            <option key={reason} value={reason}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Tell us more" optional hint="At most 2,000 characters. Leave PINs, links and card numbers out.">
        <Textarea name="detail" maxLength={MAX_LENGTH} />
      </Field>
      <Field label="Your email, for an answer" optional>
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
          Send the report
        </Button>
      </div>
    </form>
  )
}
