'use client'

import type { ReactElement } from 'react'
import { useState } from 'react'
import type { ActionFailure, ActionState, FormAction } from '@/lib/platform/api/form-action'
import { ConfirmForm } from './confirm-form'
import type { Confirmation } from './confirm-form'
import { useFailureTexts } from './failure-texts'
import { NO_RESPONSE } from './no-response'
import { useToastDone } from './undo'

export type ConfirmActionProps = Confirmation & {
  action: FormAction
  /** Reverses the action; offered once it is done. */
  undo?: FormAction
  trigger: ReactElement<Record<string, unknown>>
}

/** Asks for confirmation, then runs the action. */
export function ConfirmAction({ action, undo, ...confirmation }: ConfirmActionProps) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ActionFailure | null>(null)
  const toastDone = useToastDone()
  const { inWords } = useFailureTexts()

  async function run(form: FormData) {
    setBusy(true)
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
      problem={failure && sentencesOf(inWords(failure))}
      signInAgain={failure?.code === 'sign_in_again'}
      onConfirm={run}
    />
  )
}

const sentencesOf = ({ message, fields, others }: ActionFailure): string =>
  [...new Set([message, ...Object.values(fields).flat(), ...others])].join(' ')
