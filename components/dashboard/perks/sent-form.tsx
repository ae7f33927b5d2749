'use client'

import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { toast } from '@/components/ui/toaster'
import type { ActionFailure, FieldIssue } from '@/lib/platform/api/form-action'
import { Problem } from '@/packages/client/src/call'
import { useFailureText } from '../../shared/failure-text'
import { FormContext } from '../forms/action-form'
import { useFailureTexts } from '../forms/failure-texts'

type Props = {
  trigger: ReactElement<Record<string, unknown>>
  title: string
  description?: string
  confirm: string
  /** Sends the form by the API. Gives what to say when it is done. */
  send: (form: FormData) => Promise<string>
  children: ReactNode
}

/**
 * A form in a dialog that is sent by the API, since a file or many codes may be longer than a form of the dashboard.
 */
export function SentForm({ trigger, title, description, confirm, send, children }: Props) {
  const t = useTranslations('dashboard.perks.form')
  const { inWords } = useFailureTexts()
  const failureText = useFailureText()
  const router = useRouter()
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ActionFailure | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])

  /** The failure of a form that was sent. The fault of a field stands at the field. */
  function failureOf(error: unknown, sent: FormData): ActionFailure {
    const issues = (error instanceof Problem ? error.fields : []).map(({ field, code, detail }): FieldIssue => {
      const control = sent.has(field.split('.')[0]!) ? field.split('.')[0]! : null
      return { control, field, code, detail }
    })
    const at = Map.groupBy(
      issues.filter(({ control }) => control !== null),
      ({ control }) => control!,
    )
    const isSignedOut = error instanceof Problem && error.status === 401
    return inWords({
      ok: false,
      code: error instanceof Problem ? error.code : 'internal',
      message: isSignedOut ? t('signedOut') : failureText(error),
      fields: Object.fromEntries([...at].map(([control, found]) => [control, found.map(({ detail }) => detail)])),
      others: issues.filter(({ control }) => control === null).map(({ field, detail }) => `${field}: ${detail}`),
      ...(issues.length > 0 && { issues }),
    })
  }

  async function submit(sent: FormData) {
    setBusy(true)
    setFailure(null)
    try {
      toast.success(await send(sent))
      setOpen(false)
      router.refresh()
    } catch (error) {
      setFailure(failureOf(error, sent))
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
        setFailure(null)
      }}
    >
      <form
        ref={form}
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        {failure && (
          <Alert tone="danger" live>
            {[failure.message, ...failure.others].join(' ')}
          </Alert>
        )}
        <FormContext value={{ state: failure, busy }}>
          <div className="contents">{children}</div>
        </FormContext>
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
