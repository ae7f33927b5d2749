'use client'

import type { ReactElement } from 'react'
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
import { useFailureTexts } from './failure-texts'
import { NO_RESPONSE } from './no-response'
import { useToastDone } from './undo'

export type ConfirmActionProps = Confirmation & {
  action: FormAction
  /** What its fields show of the record that it changes. */
  opened?: Opened
  /** Reverses the action; offered once it is done. */
  undo?: FormAction
  trigger: ReactElement<Record<string, unknown>>
}

/** Asks for confirmation, then runs the action. What is wrong with a field stands at it. */
export function ConfirmAction({ action, opened, undo, children, ...confirmation }: ConfirmActionProps) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ActionFailure | null>(null)
  const toastDone = useToastDone()
  const { inWords } = useFailureTexts()
  const fields = useRef<HTMLDivElement>(null)
  const state = failure && inWords(failure)

  useEffect(() => {
    if (failure) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])

  async function run(form: FormData) {
    setBusy(true)
    const compared = failure?.opened ?? opened
    if (compared) form.set(OPENED_FIELD, JSON.stringify(compared))
    const result = await action(null, form).catch((): ActionState => NO_RESPONSE)
    setBusy(false)
    setFailure(result && !result.ok ? result : null)
    if (!result?.ok) return
    setOpen(false)
    toastDone(result, form, undo)
  }

  return (
    <ConfirmForm
      {...confirmation}
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        setFailure(null)
      }}
      busy={busy}
      problem={state && [state.message, ...state.others].join(' ')}
      signInAgain={failure?.code === 'sign_in_again'}
      onConfirm={run}
    >
      {children && (
        <FormContext value={{ state, busy }}>
          <div ref={fields} className="grid gap-4">
            {children}
          </div>
        </FormContext>
      )}
    </ConfirmForm>
  )
}
