import type { Endpoint, Input } from '../api/endpoint.ts'
import { type Context, assertPermission } from '../auth/context.ts'
import { dashboardContext } from '../auth/dashboard.ts'
import { log } from '../../core/log.ts'
import { formBody } from './form-body.ts'
import { asAppError } from './problem.ts'
import { countRequest } from './rate-limit.ts'
import { parse } from './serve.ts'

export type ActionFailure = {
  ok: false
  code: string
  message: string
  /** Sentences for each control of the form. */
  fields: Record<string, string[]>
  /** What concerns no control of the form. */
  others: string[]
}
/** What a form knows of its last try; null before the first. `secret` is shown this once. */
export type ActionState = { ok: true; message?: string; secret?: string } | ActionFailure | null
export type FormAction = (state: ActionState, form: FormData) => Promise<ActionState>

/** `body` stands in for the form where the two differ in shape; the form then only tells which control an error belongs to. */
type Given = { params?: Record<string, string>; form?: FormData; body?: unknown }
type Acted<T> = { ok: true; value: T } | ActionFailure

/**
 * What `serve` is for programs, for the dashboard's forms: who is asking, limits, permission, the endpoint's own schemas, then
 * the same verb. A failure comes back with a sentence for each field; nothing is half done.
 */
export async function act<const E extends Endpoint, T>(
  endpoint: E,
  given: Given,
  run: (ctx: Context, input: Input<E>) => Promise<T>,
): Promise<Acted<T>> {
  const ctx = await dashboardContext()
  try {
    await countRequest('admin', 'id' in ctx.actor ? ctx.actor.id : ctx.clientAddress)
    if (endpoint.permission) assertPermission(ctx, endpoint.permission)
    const input = {
      params: endpoint.params && parse(endpoint.params, given.params ?? {}),
      query: undefined,
      body: endpoint.body && parse(endpoint.body, given.body ?? (given.form ? formBody(given.form) : {})),
    }
    return { ok: true, value: await run(ctx, input as Input<E>) }
  } catch (error) {
    return failureOf(error, ctx, given.form)
  }
}

function failureOf(error: unknown, ctx: Context, form: FormData | undefined): ActionFailure {
  const failure = asAppError(error)
  if (failure.status >= 500)
    log.error({ requestId: ctx.requestId, code: failure.code, cause: failure.cause }, failure.message)
  const controls = new Set([...(form?.keys() ?? [])].map((key) => key.split(':')[0] ?? ''))
  const isEmpty = (name: string) =>
    [...(form?.entries() ?? [])].every(([key, value]) => key.split(':')[0] !== name || value === '')
  const fields: Record<string, string[]> = {}
  const others: string[] = []
  for (const { field, detail } of failure.fields) {
    const name = [...controls].find((control) => field === control || field.startsWith(`${control}.`))
    const line =
      name !== undefined && failure.code === 'invalid_request' && isEmpty(name) ? 'This field is required.' : detail
    const lines = name === undefined ? others : (fields[name] ??= [])
    const said = name === undefined ? `${field}: ${line}` : line
    if (!lines.includes(said)) lines.push(said)
  }
  const message =
    failure.code === 'invalid_request' && failure.fields.length > 0 ? 'Some fields need another look.' : failure.message
  return { ok: false, code: failure.code, message, fields, others: others.filter((line) => !line.endsWith(message)) }
}
