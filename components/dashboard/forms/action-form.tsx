'use client'

import { createContext, startTransition, useActionState, useContext, useEffect, useRef } from 'react'
import type { ReactElement, ReactNode, SubmitEvent } from 'react'
import type { ActionState, FormAction } from '@/lib/platform/api/form-action'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import type { ButtonSize, ButtonVariant } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { Field } from '@/components/ui/field'
import type { FieldProps } from '@/components/ui/field'
import { useHydrated } from '@/components/ui/use-hydrated'
import { unstable_rethrow } from 'next/navigation'
import { DraftOffer } from './draft-offer'
import { useFailureTexts } from './failure-texts'
import { NO_RESPONSE } from './no-response'
import { SignInAgain } from './sign-in-again'
import { useToastDone } from './undo'
import { type DraftParts, useUnsaved } from './use-unsaved'

type FormStatus = { state: ActionState; busy: boolean }
const FormContext = createContext<FormStatus>({ state: null, busy: false })

export type ActionFormProps = {
  action: FormAction
  children: ReactNode
  className?: string
  onInput?: (form: HTMLFormElement) => void
  /** Asks a person before the form is sent, and may add the answer to it; false: it isn't sent. */
  ask?: (data: FormData) => Promise<boolean>
  /** The form's name among the drafts of its page, which this browser keeps until they are saved. Not for secrets. */
  draft?: string
  /** What a draft keeps besides the fields. */
  draftParts?: DraftParts
  /** Reverses what was sent; offered once it is saved. */
  undo?: FormAction
  /** Replaces the form after a success that returned a secret. */
  reveal?: (secret: string) => ReactElement
}

/**
 * A form for a server action. It works before scripts have loaded, preserves what was typed after an error, shows each error
 * at its field and focuses the first of them. Within the dashboard, leaving it with changes asks first.
 */
export function ActionForm({
  action,
  children,
  className,
  onInput,
  ask,
  undo,
  reveal,
  draft,
  draftParts,
}: ActionFormProps) {
  const hydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  const unsaved = useUnsaved({ form, draft, parts: draftParts })
  const toastDone = useToastDone()
  const { inWords } = useFailureTexts()

  async function run(before: ActionState, data: FormData): Promise<ActionState> {
    try {
      const after = await action(before, data)
      if (after?.ok) unsaved.finish()
      toastDone(after, data, undo)
      return after
    } catch (error) {
      // Whoever was signed out meanwhile finds the draft after signing in.
      if (isRedirect(error) && !isRedirect(error, '/sign-in')) unsaved.finish()
      unstable_rethrow(error)
      return NO_RESPONSE
    }
  }
  // Without scripts the form needs the server action itself.
  const [answer, submit, busy] = useActionState(hydrated ? run : action, null)
  const state = answer && !answer.ok ? inWords(answer) : answer

  useEffect(() => {
    if (!answer || answer.ok) return
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    invalid?.focus()
  }, [answer])

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault() // React would clear the fields after its own submit
    const submitter = event.nativeEvent.submitter
    const data = new FormData(event.currentTarget, submitter)
    if (!ask || (await ask(data))) startTransition(() => submit(data))
  }

  if (reveal && state?.ok && state.secret !== undefined) return reveal(state.secret)
  return (
    <FormContext value={{ state, busy }}>
      <form
        ref={form}
        action={submit}
        onSubmit={(event) => void send(event)}
        onInput={(event) => {
          unsaved.touched()
          onInput?.(event.currentTarget)
        }}
        noValidate
        className={classes('grid gap-5', className)}
      >
        {unsaved.offered && (
          <DraftOffer draft={unsaved.offered} onRestore={unsaved.restore} onDiscard={unsaved.discard} />
        )}
        {state && !state.ok && (
          <Alert tone="danger" live title={state.message} action={state.code === 'sign_in_again' && <SignInAgain />}>
            {state.others.length > 0 && (
              <ul>
                {state.others.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
          </Alert>
        )}
        <div className="contents">{children}</div>
      </form>
    </FormContext>
  )
}

/** Whether an action ended by leading to another page, or to one whose path begins so. */
function isRedirect(error: unknown, path = ''): boolean {
  const { digest } = (error ?? {}) as { digest?: unknown }
  return typeof digest === 'string' && new RegExp(`^NEXT_REDIRECT;[a-z]+;${path}`).test(digest)
}

/** A Field that shows the action's error for the body field `name`, such as `attributes.title`, unless `error` is given. */
export function FormField({ name, error, ...field }: FieldProps & { name: string }) {
  const { state } = useContext(FormContext)
  return <Field {...field} error={error ?? (state && !state.ok ? state.fields[name] : null)} />
}

/** The error of a body field without a single control, such as a group of checkboxes. */
export function FormError({ name }: { name: string }) {
  const { state } = useContext(FormContext)
  const lines = state && !state.ok ? (state.fields[name] ?? []) : []
  return (
    <div aria-live="polite" className={classes(!lines.length && 'sr-only')}>
      {lines.map((line) => (
        <p key={line} className="text-sm text-bad">
          {line}
        </p>
      ))}
    </div>
  )
}

export type SubmitProps = {
  children: ReactNode
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactElement
  name?: string
  value?: string
  className?: string
}

export function Submit({ children, variant = 'primary', ...rest }: SubmitProps) {
  const { busy } = useContext(FormContext)
  return (
    <Button type="submit" variant={variant} busy={busy} {...rest}>
      {children}
    </Button>
  )
}
