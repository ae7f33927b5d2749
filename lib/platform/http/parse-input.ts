import type { z } from 'zod'
import type { Endpoint } from '../api/endpoint.ts'
import { AppError, type FieldError, notFound } from '../../core/errors.ts'
import { type KnownFields, MOST_NAMED, parseFields } from '../../core/parse-fields.ts'
import { type Queried, queryOf } from './query-of.ts'

/** Parses the parts of a request outside its body. Throws `invalid_request`, or `not_found` for a malformed id. */
export const pathAndQueryOf = (
  endpoint: Pick<Endpoint, 'params'> & Queried,
  params: Record<string, string>,
  search: URLSearchParams,
) => ({
  params: endpoint.params && parseParams(endpoint.params, params),
  query: parseQuery(endpoint, search),
})

/** A parameter that was repeated, and takes one value, says so. */
function parseQuery(endpoint: Queried, search: URLSearchParams): unknown {
  const { query, fields: misnamed } = queryOf(endpoint, search)
  if (misnamed.length > 0) throw invalid(misnamed, 'The query')
  if (!endpoint.query) return undefined
  const { data, fields } = parseFields(endpoint.query, query)
  if (!fields) return data
  throw invalid(
    fields.map((error) =>
      Array.isArray(query[error.field]) && /^invalid_(type|value|union)$/.test(error.code)
        ? { ...error, code: 'repeated', detail: 'Give this parameter only once.' }
        : error,
    ),
  )
}

/** A malformed id gives not_found like an unknown one; a malformed address gives invalid_request. */
function parseParams(schema: z.ZodObject, params: Record<string, string>): unknown {
  const { data, fields } = parseFields(schema, params)
  if (!fields) return data
  if (fields.some(({ field }) => !field.split('.')[0]!.endsWith('address'))) throw notFound()
  throw invalid(fields)
}

export function parse(schema: z.ZodType, value: unknown, known?: KnownFields): unknown {
  const { data, fields } = parseFields(schema, value, known)
  if (!fields) return data
  throw invalid(fields)
}

/** A body by its endpoint. A field that is only in the answer, or only given at creation, is named as such. */
export const parseBody = ({ body, method, response, creation }: Endpoint, value: unknown): unknown =>
  body &&
  parse(body, value, {
    schemas: creation ? [response, creation] : [response],
    detail: method === 'POST' ? 'This field can’t be set here.' : 'This field can’t be changed.',
  })

function invalid(fields: readonly FieldError[], whole = 'The body'): AppError {
  const first = fields[0]!
  const at = `${first.field || whole}: `
  const count = fields.length < MOST_NAMED ? `In all, ${fields.length}` : `At least ${fields.length}`
  const more = fields.length > 1 ? ` ${count} fields are wrong.` : ''
  return new AppError('invalid_request', `${at}${first.detail}${more}`, { fields: [...fields] })
}
