'use client'

import type { ReactElement } from 'react'
import { useState } from 'react'
import type { ActionFailure, ActionState, FormAction } from '@/lib/platform/api/form-action'
import { toast } from '@/components/ui/toaster'
import { ConfirmForm } from './confirm-form'
import type { Confirmation } from './confirm-form'

export type ConfirmActionProps = Confirmation & {
  action: FormAction
  trigger: ReactElement<Record<string, unknown>>
}

const noResponse: ActionFailure = {
  ok: false,
  code: 'internal',
  message: 'That did not work. Please try again.',
  fields: {},
  others: [],
}

/** Asks for confirmation, then runs the action. */
export function ConfirmAction({ action, ...confirmation }: ConfirmActionProps) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ActionFailure | null>(null)

  async function run(form: FormData) {
    setBusy(true)
    const result = await action(null, form).catch((): ActionState => noResponse)
    setBusy(false)
    setFailure(result && !result.ok ? result : null)
    if (!result?.ok) return
    setOpen(false)
    if (result.message) toast.success(result.message)
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
      problem={
        failure && [...new Set([failure.message, ...Object.values(failure.fields).flat(), ...failure.others])].join(' ')
      }
      signInAgain={failure?.code === 'sign_in_again'}
      onConfirm={run}
    />
  )
}
