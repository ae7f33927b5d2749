import { afterEach, expect, test } from 'vitest'
import { AppError, notFound } from '../../lib/core/errors.ts'

afterEach(() => void (AppError.tracesRefusals = true))

const frames = (error: Error) => (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at ')).length

test('a refusal has a stack trace, unless the process leaves them out; a failure of ours always has one', () => {
  const limit = Error.stackTraceLimit
  expect(frames(notFound())).toBeGreaterThan(0)
  AppError.tracesRefusals = false
  expect(frames(notFound())).toBe(0)
  expect(notFound()).toMatchObject({ code: 'not_found', message: 'There is nothing here by that id.' })
  expect(frames(new AppError('internal', 'A row is missing.'))).toBeGreaterThan(0)
  expect(frames(new Error('Any other error.'))).toBeGreaterThan(0)
  expect(Error.stackTraceLimit).toBe(limit)
})
