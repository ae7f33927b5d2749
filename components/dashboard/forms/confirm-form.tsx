'use client'

import type { ReactElement, ReactNode, RefObject } from 'react'
import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Sentence } from '@/components/ui/sentence'
import { SignInAgain } from './sign-in-again'

/** The texts and fields that a person sees before an action that can't be undone. */
export type Confirmation = {
  title: string
  /** Says what will happen, and whether it can be undone. */
  description: ReactNode
  confirm: string
  tone?: 'danger' | 'primary'
  /** A text to be typed first, for actions that can't be undone at all. */
  type?: string
  /** Fields whose values the action needs. */
  children?: ReactNode
}

type ConfirmFormProps = Confirmation & {
  /** A line above the fields. */
  intro?: string | false
  /** Opens it, unless the caller does. */
  trigger?: ReactElement<Record<string, unknown>>
  open: boolean
  onOpenChange: (open: boolean) => void
  busy: boolean
  problem: string | null
  /** The problem is solved by signing in again. */
  signInAgain?: boolean
  /** The form, for what reads its fields. */
  form?: RefObject<HTMLFormElement | null>
  onConfirm: (form: FormData) => Promise<void>
}

/** A dialog that asks for confirmation and submits the fields within it. The caller runs the action. */
export function ConfirmForm({
  trigger,
  title,
  description,
  confirm,
  tone = 'danger',
  type,
  open,
  onOpenChange,
  busy,
  problem,
  signInAgain = false,
  form,
  onConfirm,
  intro,
  children,
}: ConfirmFormProps) {
  const t = useTranslations('dashboard.common')
  const [typed, setTyped] = useState('')
  const ready = type === undefined || typed.trim() === type

  function change(next: boolean) {
    setTyped('')
    onOpenChange(next)
  }

  return (
    <Dialog {...(trigger && { trigger })} title={title} description={description} open={open} onOpenChange={change}>
      <form
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) void onConfirm(new FormData(event.currentTarget))
        }}
      >
        {intro && <p className="text-sm text-muted">{intro}</p>}
        {type !== undefined && (
          <Field
            label={
              <Sentence>
                {t.rich('typeToGoOn', { text: () => <span className="figures break-all">{type}</span> })}
              </Sentence>
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
        <div className="contents">{children}</div>
        {problem && (
          <Alert tone="danger" live action={signInAgain && <SignInAgain />}>
            {problem}
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
