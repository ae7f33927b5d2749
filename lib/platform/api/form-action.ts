/** The fault of one value: the control that holds it, or null, its name in the body, its code and its sentence. */
export type FieldIssue = {
  control: string | null
  field: string
  code: string
  detail: string
  /** The value that somebody else saved meanwhile, and the one that the form would save. */
  meanwhile?: { theirs: unknown; yours: unknown }
}

/** The fields that a form shows of its record, in the shape of the endpoint that changes it. */
export type Opened = Record<string, unknown>
/** A record as JSON: whole numbers of any size and moments are strings. */
export type AsJson<T> = T extends bigint | Date ? string : T extends object ? { [K in keyof T]: AsJson<T[K]> } : T
/** The hidden field that says what a form was opened with. */
export const OPENED_FIELD = '$opened'

/** A form's failed submission, in sentences that may be shown to a person. */
export type ActionFailure = {
  ok: false
  code: string
  message: string
  /** Sentences for each control of the form. */
  fields: Record<string, string[]>
  /** Sentences about values that no control of the form holds. */
  others: string[]
  /**
   * Given where the sentences are those of a problem document, in English: pages in another language say what the codes
   * mean.
   */
  issues?: FieldIssue[]
  /** The values that the form is compared with the next time, where these changed. */
  opened?: Opened
}

/**
 * The result of a form's last submission; null before the first. `secret` is returned this once only. `canUndo`: false
 * where the form's way back would undo more than was done.
 */
export type ActionState =
  { ok: true; message?: string; secret?: string; canUndo?: boolean; opened?: Opened } | ActionFailure | null

/** A server action behind a form, as React's `useActionState` takes it. */
export type FormAction = (state: ActionState, form: FormData) => Promise<ActionState>

/** A row that a bulk action failed for. `failure`: what `reason` was made of. */
export type FailedRow = { id: string; reason: string; failure?: ActionFailure }

/** The result of a bulk action: every row is in one of the two lists. */
export type BulkOutcome = { done: string[]; failed: FailedRow[] }

/** A server action for the selected rows of a list. */
export type BulkAction = (ids: string[], form: FormData) => Promise<BulkOutcome>

/** Why a row failed, in the sentences of its failure. */
export function reasonOf({ message, fields, others }: ActionFailure): string {
  const details = [...Object.values(fields).flat(), ...others]
  return details.length > 0 ? details.join(' ') : message
}
