import { AppError } from './errors.ts'

/**
 * Makes all checks of a request. Throws what they found about fields as one error, with the code of the first and the
 * fields of all; anything else at once.
 */
export async function assertAll(checks: readonly (() => unknown)[]): Promise<void> {
  const found: AppError[] = []
  for (const check of checks)
    try {
      await check()
    } catch (error) {
      if (!(error instanceof AppError) || error.fields.length === 0) throw error
      found.push(error)
    }
  const [first] = found
  if (!first) return
  throw new AppError(first.code, first.message, { fields: found.flatMap(({ fields }) => fields), extra: first.extra })
}
