import type { z } from 'zod'
import type { Endpoint } from '../api/endpoint.ts'
import { AppError, type FieldError, notFound } from '../../core/errors.ts'
import { sentenceOf } from '../../core/sentence.ts'

/** What a request says outside its body. Throws `invalid_request`, or `not_found` for a malformed id. */
export const pathAndQueryOf = (endpoint: Endpoint, params: Record<string, string>, query: URLSearchParams) => ({
  params: endpoint.params && parseParams(endpoint.params, params),
  query: endpoint.query && parse(endpoint.query, queryOf(query)),
})

/** Each query parameter's value, or its values when it is repeated. An empty value counts as absent. */
function queryOf(given: URLSearchParams): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {}
  for (const name of new Set(given.keys())) {
    const values = given.getAll(name).filter((value) => value !== '')
    if (values.length > 0) query[name] = values.length === 1 ? values[0]! : values
  }
  return query
}

/** A malformed id gives not_found like an unknown one; a malformed address gives invalid_request. */
function parseParams(schema: z.ZodObject, params: Record<string, string>): unknown {
  const result = schema.safeParse(params)
  if (result.success) return result.data
  if (result.error.issues.some((issue) => !String(issue.path[0]).endsWith('address'))) throw notFound()
  throw invalid(result.error)
}

export function parse(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(result.error)
}

function invalid(error: z.ZodError): AppError {
  const fields = error.issues.flatMap(fieldsOf)
  const first = fields[0]!
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''
  return new AppError('invalid_request', `${first.field ? `${first.field}: ` : ''}${first.detail}${more}`, { fields })
}

function fieldsOf(issue: z.core.$ZodIssue): FieldError[] {
  const at = issue.path.join('.')
  const within = (name: string) => (at ? `${at}.${name}` : name)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((name) => ({ field: within(name), code: 'unknown_field', detail: 'There is no such field.' }))
  if (issue.code === 'invalid_type' && issue.input === undefined)
    return [{ field: at, code: 'required', detail: 'This field is required.' }]
  return [{ field: at, code: issue.code, detail: sentenceOf(issue.message) }]
}
