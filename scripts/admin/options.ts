import { parseArgs } from 'node:util'
import type { z } from 'zod'

/** The options of a command, each `--name value`. Throws an Error that says which one is missing or wrong. */
export function optionsOf<S extends z.ZodObject>(args: string[], schema: S): z.output<S> {
  const options = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, { type: 'string' as const }]))
  const { values } = parseArgs({ args, options })
  const result = schema.safeParse(values)
  if (result.success) return result.data
  throw new Error(
    result.error.issues
      .map(({ path, message, input }) =>
        input === undefined ? `--${path.join('.')} is missing.` : `--${path.join('.')}: ${message}`,
      )
      .join('\n'),
  )
}
