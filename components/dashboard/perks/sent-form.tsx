'use client'

import { type ReactElement, type ReactNode, useState } from 'react'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { toast } from '@/components/ui/toaster'
import { Problem } from '@/packages/client/src/call'
import { useFailureText } from '../../shared/failure-text'

type Props = {
  trigger: ReactElement<Record<string, unknown>>
  title: string
  description?: string
  confirm: string
  /** Sends the form by the API. Gives what to say when it is done. */
  send: (form: FormData) => Promise<string>
  children: ReactNode
}

/** A form in a dialog that is sent by the API, since a file or many codes may be longer than a form of the dashboard. */
export function SentForm({ trigger, title, description, confirm, send, children }: Props) {
  const t = useTranslations('dashboard.perks.form')
  const locale = useLocale()
  const failureText = useFailureText()
  const router = useRouter()
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  function sentenceOf(failure: unknown): string {
    if (failure instanceof Problem && failure.status === 401) return t('signedOut')
    // The API's sentences about fields are in English.
    const fields = locale === 'en' && failure instanceof Problem ? failure.fields.map(({ detail }) => detail) : []
    return fields.length > 0 ? [...new Set(fields)].join(' ') : failureText(failure)
  }

  async function submit(form: FormData) {
    setBusy(true)
    setProblem(null)
    try {
      toast.success(await send(form))
      setOpen(false)
      router.refresh()
    } catch (failure) {
      setProblem(sentenceOf(failure))
    }
    setBusy(false)
  }

  return (
    <Dialog
      trigger={trigger}
      title={title}
      description={description}
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        setProblem(null)
      }}
    >
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        {problem && (
          <Alert tone="danger" live>
            {problem}
          </Alert>
        )}
        <div className="contents">{children}</div>
        <div className="flex flex-wrap justify-end gap-2">
          <DialogClose />
          <Button type="submit" variant="primary" busy={busy}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
