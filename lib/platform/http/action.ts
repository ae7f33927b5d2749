import type { Endpoint, Input } from '../api/endpoint.ts'
import type { ActionFailure, FieldIssue, Opened } from '../api/form-action.ts'
import { type Context, assertPermission } from '../auth/context.ts'
import { dashboardContext } from '../auth/dashboard.ts'
import { pageRequestId } from '../auth/page-request-id.ts'
import type { AppError } from '../../core/errors.ts'
import { REQUIRED } from '../../core/issue-sentence.ts'
import { log } from '../../core/log.ts'
import {
  allFieldsOf,
  asJson,
  assertNotChangedMeanwhile,
  bodyOfChanges,
  type Change,
  ChangedMeanwhile,
  changesOf,
  openedOf,
  savedWith,
} from './changed-fields.ts'
import { formBody, isForm, notOurs } from './form-body.ts'
import { writeWhile } from './if-match.ts'
import { assertNoMaintenance } from './maintenance.ts'
import { asAppError } from './problem.ts'
import { countRequest } from './rate-limit.ts'
import { parse, parseBody } from './parse-input.ts'
import type { Served } from './serve.ts'

/**
 * `body` replaces the form's own body where the two differ in shape; the form then only maps errors to its controls.
 */
type ActionInput = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  form?: FormData
  body?: unknown
  /** The controls of body fields whose names differ. */
  controls?: ReadonlyMap<string, string> | undefined
}
type ActionResult<T> = { ok: true; value: T } | ActionFailure

/**
 * Runs an endpoint's verb for a dashboard form with the checks that `serve` makes for the API: session, rate limit,
 * permission and the endpoint's own schemas. A failure is returned, not thrown, with a sentence for each field.
 */
export async function act<const E extends Endpoint, T>(
  { endpoint, verb }: Served<E, T>,
  given: ActionInput,
): Promise<ActionResult<T>> {
  const ctx = await dashboardContext()
  const work = async () => {
    await assertMayAct(ctx, endpoint)
    return verb(ctx, inputOf(endpoint, given, given.body ?? (given.form ? formBody(given.form) : {})))
  }
  return attempt(given.form, work, given.controls)
}

type Saving = ActionInput & {
  params: Record<string, string>
  form: FormData
  /** Reads the record as it is, in the shape of the endpoint's body, with the fields that the form shows. */
  read: (ctx: Context) => Promise<unknown>
  /** Fields that the endpoint demands though they may be as they were. */
  demanded?: readonly Change[]
  /** The record is saved as one text: once a field is changed, all of them are compared and sent. */
  isWhole?: boolean
  /** The verb does more than to save: it runs though nothing was changed. */
  isCommand?: boolean
}
/** `value` is null where nothing was changed. `opened`: what the form shows from now on. */
type SaveResult<T> = { ok: true; value: T | null; opened: Opened } | ActionFailure

/**
 * Saves what a person changed in a form of a record, and nothing else. Where somebody else changed the same field since
 * the form was opened, nothing is saved, and the field says both values.
 */
export async function save<const E extends Endpoint, T>(
  { endpoint, verb }: Served<E, T>,
  given: Saving,
): Promise<SaveResult<T>> {
  const ctx = await dashboardContext()
  const { params, form, read, demanded = [], isWhole = false, isCommand = false } = given
  const done = await attempt(
    form,
    async () => {
      await assertMayAct(ctx, endpoint)
      const opened = openedOf(form)
      if (!opened) throw notOurs()
      const body = (given.body ?? formBody(form)) as Record<string, unknown>
      const changed = changesOf(form, body, opened)
      if (changed.length === 0 && !isCommand) return { value: null, opened }
      const changes = isWhole ? allFieldsOf(body, opened) : changed
      const input = inputOf(endpoint, given, bodyOfChanges([...demanded, ...changes]))
      const assertUnchanged = async () => assertNotChangedMeanwhile(asJson(await read(ctx)), changes, opened)
      const value = await writeWhile(ctx, endpoint, params, assertUnchanged, (own) => verb(own, input))
      return { value, opened: savedWith(opened, changes) }
    },
    given.controls,
  )
  return done.ok ? { ok: true, ...done.value } : done
}

async function assertMayAct(ctx: Context, { permission }: Endpoint): Promise<void> {
  await countRequest('admin', 'id' in ctx.actor ? ctx.actor.id : ctx.clientAddress)
  if (permission) assertPermission(ctx, permission)
}

const inputOf = <E extends Endpoint>(endpoint: E, { params = {}, query = {} }: ActionInput, body: unknown): Input<E> =>
  ({
    params: endpoint.params && parse(endpoint.params, params),
    query: endpoint.query && parse(endpoint.query, query),
    body: parseBody(endpoint, body),
  }) as Input<E>

/**
 * Does what a form asks for. A failure is returned, not thrown, with a sentence for each field; in maintenance nothing
 * is done.
 */
export async function attempt<T>(
  form: FormData | undefined,
  work: () => Promise<T>,
  controls?: ReadonlyMap<string, string>,
): Promise<ActionResult<T>> {
  try {
    await assertNoMaintenance()
    return { ok: true, value: await work() }
  } catch (error) {
    const failure = asAppError(error)
    if (failure.status >= 500 && failure.code !== 'maintenance')
      log.error({ requestId: await pageRequestId(), code: failure.code, cause: failure.cause }, failure.message)
    return failureOf(failure, isForm(form) ? form : undefined, controls)
  }
}

const NEEDS_ANOTHER_LOOK = 'Some fields need another look.'

/** The failure of a form with fields that can't be read. The lines about them are in the page's language. */
export const wrongFields = (fields: Record<string, string[]>): ActionFailure => withWrongFields(fields, null)
export const wrongField = (field: string, line: string): ActionFailure => wrongFields({ [field]: [line] })

/** A form's failure, with fields that can't be read added to it. */
export const withWrongFields = (wrong: Record<string, string[]>, failure: ActionFailure | null): ActionFailure => ({
  ...(failure ?? { ok: false, code: 'invalid_request', others: [] }),
  message: NEEDS_ANOTHER_LOOK,
  fields: { ...failure?.fields, ...wrong },
  issues: (failure?.issues ?? []).filter(({ control }) => control === null || !(control in wrong)),
})

function failureOf(
  failure: AppError,
  form: FormData | undefined,
  renamed: ReadonlyMap<string, string> = new Map(),
): ActionFailure {
  const names = [...(form?.keys() ?? [])].map((key) => key.split(':')[0]!)
  const controls = new Map([...names.map((name) => [name, name] as const), ...renamed])
  const isEmpty = (name: string) =>
    [...(form?.entries() ?? [])].every(([key, value]) => key.split(':')[0] !== name || value === '')
  const fields: Record<string, string[]> = {}
  const others: string[] = []
  const issues: FieldIssue[] = []
  for (const { field, code, detail } of failure.fields) {
    const control = controlOf(field, controls)
    const isMissing = control !== null && failure.code === 'invalid_request' && isEmpty(control)
    const line = isMissing ? REQUIRED : detail
    const lines = control === null ? others : (fields[control] ??= [])
    const sentence = control === null ? `${field}: ${line}` : line
    if (lines.includes(sentence)) continue
    lines.push(sentence)
    issues.push({ control, field, code: isMissing ? 'required' : code, detail: line })
  }
  const message = failure.code === 'invalid_request' && failure.fields.length > 0 ? NEEDS_ANOTHER_LOOK : failure.message
  const failed: ActionFailure = {
    ok: false,
    code: failure.code,
    message,
    fields,
    others: others.filter((line) => !line.endsWith(message)),
    issues,
  }
  return failure instanceof ChangedMeanwhile ? withBothValues(failed, failure) : failed
}

/** The control that holds a field, or what it is a part of; else the first that holds a part of it. */
function controlOf(field: string, controls: ReadonlyMap<string, string>): string | null {
  const holders = [...controls.keys()].filter((name) => field === name || field.startsWith(`${name}.`))
  const [nearest] = holders.toSorted((a, b) => b.length - a.length)
  const part = nearest ?? [...controls.keys()].find((name) => name.startsWith(`${field}.`))
  return part === undefined ? null : controls.get(part)!
}

const withBothValues = (failed: ActionFailure, { meanwhile, opened }: ChangedMeanwhile): ActionFailure => ({
  ...failed,
  opened,
  issues: (failed.issues ?? []).map((issue) => {
    const found = meanwhile.find(({ field }) => field === issue.field)
    return found ? { ...issue, meanwhile: { theirs: found.theirs, yours: found.yours } } : issue
  }),
})
