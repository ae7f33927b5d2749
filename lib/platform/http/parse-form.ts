import type { z } from 'zod'
import { formBody } from './form-body.ts'
import { parse } from './parse-input.ts'

/** What a form says, by a schema of a form without an endpoint. Throws `invalid_request`. */
export const parseForm = <S extends z.ZodType>(schema: S, form: FormData): z.output<S> =>
  parse(schema, formBody(form)) as z.output<S>
