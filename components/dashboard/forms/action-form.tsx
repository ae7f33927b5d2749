'use client'

import { createContext, startTransition, useActionState, useContext, useEffect, useRef, useState } from 'react'
import type { ReactElement, ReactNode, SubmitEvent } from 'react'
import {
  type ActionFailure,
  type ActionState,
  type FormAction,
  OPENED_FIELD,
  type Opened,
} from '@/lib/platform/api/form-action'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import type { ButtonSize, ButtonVariant } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { Field } from '@/components/ui/field'
import type { FieldProps } from '@/components/ui/field'
import { useHydrated } from '@/components/ui/use-hydrated'
import { unstable_rethrow, usePathname } from 'next/navigation'
import { DraftOffer } from './draft-offer'
import { useFailureTexts } from './failure-texts'
import { labelled } from './labelled'
import { NO_RESPONSE } from './no-response'
import { keepShownOnce, useShownOnce } from './shown-once'
import { SignInAgain } from './sign-in-again'
import { useToastDone } from './undo'
import { type DraftParts, useUnsaved } from './use-unsaved'

type FormStatus = { state: ActionState; busy: boolean }
/** The status of a form, for its fields. */
export const FormContext = createContext<FormStatus>({ state: null, busy: false })

export type ActionFormProps = {
  action: FormAction
  children: ReactNode
  className?: string
  /**
   * The values that the form shows of the record that it changes, in the shape of the endpoint: only values that differ
   * from these are saved.
   */
  opened?: Opened | undefined
  onInput?: (form: HTMLFormElement) => void
  /** Asks a person before the form is sent, and may add the answer to it; false: it isn't sent. */
  ask?: (data: FormData) => Promise<boolean>
  /** The form's name among the drafts of its page, which this browser keeps until they are saved. Not for secrets. */
  draft?: string
  /** The parts of a draft besides the fields. */
  draftParts?: DraftParts
  /** Reverses what was sent; offered once it is saved. */
  undo?: FormAction
  /** Replaces the form after a success that returned a secret. */
  reveal?: (secret: string) => ReactElement
}

/**
 * A form for a server action. It works before scripts have loaded, preserves what was typed after an error, shows each
 * error at its field and focuses the first of them. Within the dashboard, leaving it with changes asks first.
 */
export function ActionForm({
  action,
  children,
  className,
  opened,
  onInput,
  ask,
  undo,
  reveal,
  draft,
  draftParts,
}: ActionFormProps) {
  const hydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  // Fields keep what they were opened with when the page is refreshed.
  const [compared, setCompared] = useState(opened)
  const toastDone = useToastDone()
  const { inWords } = useFailureTexts()
  const path = usePathname()
  const shownBefore = useShownOnce(path)
  const unsaved = useUnsaved({ form, draft, parts: draftParts, opened: { value: compared, put: setCompared } })

  async function run(before: ActionState, data: FormData): Promise<ActionState> {
    try {
      const after = await action(before, data)
      if (after?.ok) unsaved.finish()
      if (after?.ok && after.secret !== undefined) keepShownOnce(path, after.secret)
      if (after?.opened) setCompared(after.opened)
      toastDone(after, data, undo)
      return labelled(after, form.current)
    } catch (error) {
      // Whoever was signed out meanwhile finds the draft after signing in.
      if (isRedirect(error) && !isRedirect(error, '/sign-in')) unsaved.finish()
      unstable_rethrow(error)
      return NO_RESPONSE
    }
  }
  // Without scripts the form needs the server action itself.
  const [answer, submit, busy] = useActionState(hydrated ? run : action, null)
  /** The fields that were edited since an answer: what it says of them may be mended. */
  const [edited, setEdited] = useState<{ since: ActionState; names: ReadonlySet<string> }>()
  const state = answer && !answer.ok ? without(inWords(answer), edited?.since === answer ? edited.names : null) : answer

  useEffect(() => {
    if (!answer || answer.ok) return
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    invalid?.focus()
  }, [answer])

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault() // React would clear the fields after its own submit
    if (busy) return // Enter sends a form of one field even while its button waits
    const submitter = event.nativeEvent.submitter
    const data = new FormData(event.currentTarget, submitter)
    if (!ask || (await ask(data))) startTransition(() => submit(data))
  }

  const secret = state?.ok ? state.secret : shownBefore
  if (reveal && secret != null) return reveal(secret)
  return (
    <FormContext value={{ state, busy }}>
      <form
        ref={form}
        action={submit}
        onSubmit={(event) => void send(event)}
        onInput={(event) => {
          unsaved.touched()
          const name = fieldOf(event.target)
          if (answer && name)
            setEdited({ since: answer, names: new Set(edited?.since === answer ? [...edited.names, name] : [name]) })
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
        {compared && (
          <input type="hidden" name={OPENED_FIELD} value={JSON.stringify((!hydrated && answer?.opened) || compared)} />
        )}
        <div className="contents">{children}</div>
      </form>
    </FormContext>
  )
}

/**
 * The body field that a control is about: that of the part of the form it stands in (`data-field`), else its own name.
 */
function fieldOf(target: EventTarget): string | undefined {
  if (!(target instanceof HTMLElement)) return
  const name = target.closest<HTMLElement>('[data-field]')?.dataset.field ?? target.getAttribute('name')
  return name?.replace(/^typed\.|:.*$/g, '')
}

/** The rest of a failure after some of its fields were edited; null: nothing is left. */
function without(failure: ActionFailure, names: ReadonlySet<string> | null): ActionFailure | null {
  if (!names) return failure
  const fields = Object.fromEntries(Object.entries(failure.fields).filter(([name]) => !names.has(name)))
  const isLeft = Object.keys(fields).length > 0 || failure.others.length > 0
  return isLeft || Object.keys(failure.fields).length === 0 ? { ...failure, fields } : null
}

/** Whether an action ended by leading to another page, or to one whose path begins so. */
function isRedirect(error: unknown, path = ''): boolean {
  const { digest } = (error ?? {}) as { digest?: unknown }
  return typeof digest === 'string' && new RegExp(`^NEXT_REDIRECT;[a-z]+;${path}`).test(digest)
}

/**
 * A Field that shows the action's error for the body field `name`, such as `attributes.title`, unless `error` is given.
 */
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
