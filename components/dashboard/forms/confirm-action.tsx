'use client'

import type { ReactElement, ReactNode } from 'react'
import { useState } from 'react'
import type { ActionState, FormAction } from '@/lib/platform/api/form-action'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { toast } from '@/components/ui/toaster'

export type ConfirmActionProps = {
  action: FormAction
  trigger: ReactElement<Record<string, unknown>>
  title: ReactNode
  /** What will happen, and whether it can be undone. */
  description: ReactNode
  confirm: string
  tone?: 'danger' | 'primary'
  /** What must be typed first, where there is no way back. */
  type?: string
  /** Fields whose values the action needs. */
  children?: ReactNode
}

/** Asks before something that can't be taken back, then runs the action. */
export function ConfirmAction({
  action,
  trigger,
  title,
  description,
  confirm,
  tone = 'danger',
  type,
  children,
}: ConfirmActionProps) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [typed, setTyped] = useState('')
  const [state, setState] = useState<ActionState>(null)
  const ready = type === undefined || typed.trim() === type

  async function run(form: FormData) {
    if (!ready) return
    setBusy(true)
    const answer = await action(null, form).catch((): ActionState => ({
      ok: false,
      code: 'internal',
      message: 'That did not work. Please try again.',
      fields: {},
      others: [],
    }))
    setBusy(false)
    setState(answer)
    if (!answer?.ok) return
    setOpen(false)
    if (answer.message) toast.success(answer.message)
  }

  function change(next: boolean) {
    setOpen(next)
    setState(null)
    setTyped('')
  }

  return (
    <Dialog trigger={trigger} title={title} description={description} open={open} onOpenChange={change}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void run(new FormData(event.currentTarget))
        }}
      >
        {type !== undefined && (
          <Field
            label={
              <>
                Type <span className="figures break-all">{type}</span> to go on
              </>
            }
          >
            <Input
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
        )}
        {children}
        {state && !state.ok && (
          <Alert tone="danger" live>
            {[state.message, ...Object.values(state.fields).flat(), ...state.others]
              .filter((line, at, all) => all.indexOf(line) === at)
              .join(' ')}
          </Alert>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <DialogClose />
          <Button type="submit" variant={tone} busy={busy} disabled={!ready}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
