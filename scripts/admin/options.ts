import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { parseFields } from '../../lib/core/parse-fields.ts'

/** The options of a command, each `--name value`. Throws an Error that says which one is missing or wrong. */
export function optionsOf<S extends z.ZodObject>(args: string[], schema: S): z.output<S> {
  const options = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, { type: 'string' as const }]))
  const { values } = parseArgs({ args, options })
  const { data, fields } = parseFields(schema, values)
  if (!fields) return data
  throw new Error(
    fields
      .map(({ field, code, detail }) => (code === 'required' ? `--${field} is missing.` : `--${field}: ${detail}`))
      .join('\n'),
  )
}
