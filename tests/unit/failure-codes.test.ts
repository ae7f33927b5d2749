import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ERRORS } from '../../lib/core/errors.ts'

/** Codes that only programs, recipients and buyers meet. */
const ELSEWHERE = [
  'invalid_cursor',
  'method_not_allowed',
  'request_timeout',
  'url_too_long',
  'headers_too_large',
  'idempotency_mismatch',
  'idempotency_in_flight',
  'transfer_exists',
  'holder_pays',
  'pin_required',
  'pin_wrong',
  'pin_expired',
  'voucher_refused',
  'not_eligible',
  'buyer_invalid',
  'proof_required',
  'purchases_open',
]

test('every code that a form of the dashboard may fail with has a text', () => {
  const file = path.resolve(import.meta.dirname, '../../messages/dashboard/en.json')
  const { errors } = JSON.parse(fs.readFileSync(file, 'utf8')) as { errors: Record<string, unknown> }
  const texts = Object.keys(errors).filter((key) => !['general', 'fields', 'no_response'].includes(key))
  expect(texts.toSorted()).toEqual(
    Object.keys(ERRORS)
      .filter((code) => !ELSEWHERE.includes(code))
      .toSorted(),
  )
})
