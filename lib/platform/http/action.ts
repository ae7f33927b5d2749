import type { Endpoint, Input } from '../api/endpoint.ts'
import type { ActionFailure, FieldIssue } from '../api/form-action.ts'
import { type Context, assertPermission } from '../auth/context.ts'
import { dashboardContext } from '../auth/dashboard.ts'
import { pageRequestId } from '../auth/page-request-id.ts'
import type { AppError } from '../../core/errors.ts'
import { REQUIRED } from '../../core/issue-sentence.ts'
import { log } from '../../core/log.ts'
import { formBody, isForm } from './form-body.ts'
import { assertNoMaintenance } from './maintenance.ts'
import { asAppError } from './problem.ts'
import { countRequest } from './rate-limit.ts'
import { parse, parseBody } from './parse-input.ts'

/** `body` replaces the form's own body where the two differ in shape; the form then only maps errors to its controls. */
type ActionInput = { params?: Record<string, string>; form?: FormData; body?: unknown }
type ActionResult<T> = { ok: true; value: T } | ActionFailure

/**
 * Runs a verb for a dashboard form with the checks that `serve` makes for the API: session, rate limit, permission and
 * the endpoint's own schemas. A failure is returned, not thrown, with a sentence for each field.
 */
export async function act<const E extends Endpoint, T>(
  endpoint: E,
  given: ActionInput,
  run: (ctx: Context, input: Input<E>) => Promise<T>,
): Promise<ActionResult<T>> {
  const ctx = await dashboardContext()
  const work = async () => {
    await countRequest('admin', 'id' in ctx.actor ? ctx.actor.id : ctx.clientAddress)
    if (endpoint.permission) assertPermission(ctx, endpoint.permission)
    const input = {
      params: endpoint.params && parse(endpoint.params, given.params ?? {}),
      query: undefined,
      body: parseBody(endpoint, given.body ?? (given.form ? formBody(given.form) : {})),
    }
    return run(ctx, input as Input<E>)
  }
  return attempt(given.form, work)
}

/** Does what a form asks for. A failure is returned, not thrown, with a sentence for each field; in maintenance nothing is done. */
export async function attempt<T>(form: FormData | undefined, work: () => Promise<T>): Promise<ActionResult<T>> {
  try {
    await assertNoMaintenance()
    return { ok: true, value: await work() }
  } catch (error) {
    const failure = asAppError(error)
    if (failure.status >= 500 && failure.code !== 'maintenance')
      log.error({ requestId: await pageRequestId(), code: failure.code, cause: failure.cause }, failure.message)
    return failureOf(failure, isForm(form) ? form : undefined)
  }
}

const NEEDS_ANOTHER_LOOK = 'Some fields need another look.'

/** The failure of a form whose field can't be read. The line about it is in the page's language. */
export const wrongField = (field: string, line: string): ActionFailure => withWrongFields({ [field]: [line] }, null)

/** The failure of a form of which some fields can't be read, beside what else is wrong with it. */
export const withWrongFields = (wrong: Record<string, string[]>, failure: ActionFailure | null): ActionFailure => ({
  ...(failure ?? { ok: false, code: 'invalid_request', others: [] }),
  message: NEEDS_ANOTHER_LOOK,
  fields: { ...failure?.fields, ...wrong },
  issues: (failure?.issues ?? []).filter(({ control }) => control === null || !(control in wrong)),
})

function failureOf(failure: AppError, form: FormData | undefined): ActionFailure {
  const controls = new Set([...(form?.keys() ?? [])].map((key) => key.split(':')[0] ?? ''))
  const isEmpty = (name: string) =>
    [...(form?.entries() ?? [])].every(([key, value]) => key.split(':')[0] !== name || value === '')
  const fields: Record<string, string[]> = {}
  const others: string[] = []
  const issues: FieldIssue[] = []
  for (const { field, code, detail } of failure.fields) {
    const control = [...controls].find((name) => field === name || field.startsWith(`${name}.`)) ?? null
    const isMissing = control !== null && failure.code === 'invalid_request' && isEmpty(control)
    const line = isMissing ? REQUIRED : detail
    const lines = control === null ? others : (fields[control] ??= [])
    const sentence = control === null ? `${field}: ${line}` : line
    if (lines.includes(sentence)) continue
    lines.push(sentence)
    issues.push({ control, field, code: isMissing ? 'required' : code, detail: line })
  }
  const message = failure.code === 'invalid_request' && failure.fields.length > 0 ? NEEDS_ANOTHER_LOOK : failure.message
  return {
    ok: false,
    code: failure.code,
    message,
    fields,
    others: others.filter((line) => !line.endsWith(message)),
    issues,
  }
}
