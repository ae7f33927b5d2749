/** A form's failed submission, in sentences that may be shown to a person. */
export type ActionFailure = {
  ok: false
  code: string
  message: string
  /** Sentences for each control of the form. */
  fields: Record<string, string[]>
  /** Sentences about values that no control of the form holds. */
  others: string[]
}

/**
 * The result of a form's last submission; null before the first. `secret` is returned this once only. `canUndo`: false where the form's way
 * back would undo more than was done.
 */
export type ActionState = { ok: true; message?: string; secret?: string; canUndo?: boolean } | ActionFailure | null

/** A server action behind a form, as React's `useActionState` takes it. */
export type FormAction = (state: ActionState, form: FormData) => Promise<ActionState>

/** The result of a bulk action: every row is in one of the two lists. */
export type BulkOutcome = { done: string[]; failed: { id: string; reason: string }[] }

/** A server action for the selected rows of a list. */
export type BulkAction = (ids: string[], form: FormData) => Promise<BulkOutcome>
