import { expect, test } from 'vitest'
import { ERROR_HELP } from '../../lib/core/error-help/error-help.ts'
import { ERRORS } from '../../lib/core/errors.ts'

test('every code has a cause, a remedy and an example, in sentences, and no other text is left', () => {
  expect(Object.keys(ERROR_HELP).sort()).toEqual(Object.keys(ERRORS).sort())
  for (const [code, { cause, remedy, detail }] of Object.entries(ERROR_HELP))
    for (const text of [cause, remedy, detail]) {
      expect(text, code).toMatch(/^[^\s].*[.?]$/)
      expect(text.split('`').length % 2, `${code}: a backtick is missing`).toBe(1)
    }
})

test('an example names its field where the detail begins with one', () => {
  for (const [code, { detail, field }] of Object.entries(ERROR_HELP)) {
    const named = /^([a-z_.]+): /.exec(detail)?.[1]
    if (named !== undefined) expect(field, code).toBe(named)
  }
})
