import pg from 'pg'
import { expect, test } from 'vitest'
import { asAppError } from '../../lib/platform/http/problem.ts'
import { CallUndecided, ChainUnavailable } from '../../lib/ports/chain/chain.ts'

/** What PostgreSQL says with this code. */
const said = (code: string) => Object.assign(new pg.DatabaseError('Refused.', 1, 'error'), { code })

test.each([
  ['of a LIVE row that a TEST key changes', said('VT003'), 'mode_mismatch', null],
  ['of what is suspended', said('VT005'), 'suspended', null],
  ['of an organization that isn’t approved', said('VT006'), 'approval_needed', null],
  ['of contents that a reveal promised', said('VT010'), 'contents_fixed', null],
  ['of a key that another request took over', said('VT008'), 'idempotency_in_flight', null],
  ['of a database that ends', said('57P01'), 'unavailable', 5],
  ['of a database without a free connection', said('53300'), 'unavailable', 5],
  ['of a lost connection', new Error('Connection terminated unexpectedly'), 'unavailable', 5],
  ['of a statement that took too long', said('57014'), 'unavailable', 5],
  ['of a deadlock', said('40P01'), 'unavailable', 2],
  ['of a serialization failure', said('40001'), 'unavailable', 2],
  ['of a lock that wasn’t free in time', said('55P03'), 'unavailable', 2],
  ['of a chain that doesn’t answer', new ChainUnavailable('Down.'), 'unavailable', 5],
  ['of a chain that doesn’t decide', new CallUndecided('Unclear.'), 'unavailable', 5],
  ['of anything else', said('XX000'), 'internal', null],
])('an error %s is shown as what it is', (_, error, code, seconds) => {
  const shown = asAppError(error)
  expect([shown.code, shown.retryAfterSeconds ?? null]).toEqual([code, seconds])
  expect(shown.message).not.toContain('Refused')
})
