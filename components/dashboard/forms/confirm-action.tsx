'use client'

import type { ReactElement, ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import {
  type ActionFailure,
  type ActionState,
  type FormAction,
  OPENED_FIELD,
  type Opened,
} from '@/lib/platform/api/form-action'
import { FormContext } from './action-form'
import { ConfirmForm } from './confirm-form'
import type { Confirmation } from './confirm-form'
import { DialogFields, type KeptFields } from './dialog-fields'
import { useFailureTexts } from './failure-texts'
import { NO_RESPONSE } from './no-response'
import { useToastDone } from './undo'

/** Fields have a name among the drafts of the page. */
type Fields = { children: ReactNode; draft: string } | { children?: never; draft?: never }

export type ConfirmActionProps = Omit<Confirmation, 'children'> &
  Fields & {
    action: FormAction
    /** The values that its fields show of the record that it changes. */
    opened?: Opened
    /** Reverses the action; offered once it is done. */
    undo?: FormAction
    trigger: ReactElement<Record<string, unknown>>
  }

/** Asks for confirmation, then runs the action. What is wrong with a field stands at it. */
export function ConfirmAction({ action, opened, undo, draft, children, ...confirmation }: ConfirmActionProps) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ActionFailure | null>(null)
  // The fields keep what they were opened with when the page is refreshed.
  const [compared, setCompared] = useState(opened)
  const toastDone = useToastDone()
  const { inWords } = useFailureTexts()
  const form = useRef<HTMLFormElement>(null)
  const kept = useRef<KeptFields>(null)
  const state = failure && inWords(failure)

  useEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])

  async function run(sent: FormData) {
    setBusy(true)
    if (compared) sent.set(OPENED_FIELD, JSON.stringify(compared))
    const result = await action(null, sent).catch((): ActionState => NO_RESPONSE)
    setBusy(false)
    setFailure(result && !result.ok ? result : null)
    if (result?.opened) setCompared(result.opened)
    if (!result?.ok) return
    kept.current?.finish()
    setOpen(false)
    toastDone(result, sent, undo)
  }

  return (
    <ConfirmForm
      {...confirmation}
      form={form}
      open={open}
      onOpenChange={(next) => {
        if (next) setCompared(opened)
        else kept.current?.giveUp()
        setOpen(next)
        setFailure(null)
      }}
      busy={busy}
      problem={state && [state.message, ...state.others].join(' ')}
      signInAgain={failure?.code === 'sign_in_again'}
      onConfirm={run}
    >
      {draft !== undefined && (
        <FormContext value={{ state, busy }}>
          <DialogFields ref={kept} form={form} draft={draft} opened={{ value: compared, put: setCompared }}>
            {children}
          </DialogFields>
        </FormContext>
      )}
    </ConfirmForm>
  )
}
