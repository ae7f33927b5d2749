import type { z } from 'zod'
import { formBody } from './form-body.ts'
import { parse } from './parse-input.ts'

/** Parses a form by a schema, for forms without an endpoint. Throws `invalid_request`. */
export const parseForm = <S extends z.ZodType>(schema: S, form: FormData): z.output<S> =>
  parse(schema, formBody(form)) as z.output<S>
