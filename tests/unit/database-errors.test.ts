import pg from 'pg'
import { expect, test } from 'vitest'
import { commandFailure, databaseFaultOf, fromDatabase, isOutOfTime } from '../../lib/db/errors.ts'
import { asAppError } from '../../lib/platform/http/problem.ts'
import { StorageUnavailable } from '../../lib/ports/storage/storage.ts'
import { CallUndecided, ChainUnavailable } from '../../lib/ports/chain/chain.ts'

/** What PostgreSQL says with this code. */
const said = (code: string, message = 'Refused.') =>
  Object.assign(new pg.DatabaseError(message, 1, 'error'), { code, severity: 'ERROR' })

/** An error as a connection to the database gives it. */
const given = (error: Error) => fromDatabase(Promise.reject(error)).catch((same: unknown) => same)

test.each([
  ['of a LIVE row that a TEST key changes', said('VT003'), 'mode_mismatch', null],
  ['of what is suspended', said('VT005'), 'suspended', null],
  ['of an organization that isn’t approved', said('VT006'), 'approval_needed', null],
  ['of contents that a reveal promised', said('VT010'), 'contents_fixed', null],
  ['of a key that another request took over', said('VT008'), 'idempotency_in_flight', null],
  ['of a database that ends', said('57P01'), 'unavailable', 5],
  ['of a database without a free connection', said('53300'), 'unavailable', 5],
  ['of a lost connection', await given(new Error('Connection terminated unexpectedly')), 'unavailable', 5],
  ['of a database whose disk is full', said('53100'), 'unavailable', 5],
  ['of a database that has no file left to open', said('53000'), 'unavailable', 5],
  ['of a database whose disk fails', said('58030'), 'unavailable', 5],
  ['of a disk that is mounted read-only', said('42501', 'could not open: Read-only file system'), 'unavailable', 5],
  ['of a disk whose quota is used up', said('XX000', 'could not extend: Disk quota exceeded'), 'unavailable', 5],
  ['of a database that takes reads only', said('25006'), 'unavailable', 5],
  ['of a standby', said('55000', 'recovery is in progress'), 'unavailable', 5],
  [
    'of several failures, one of them of the disk',
    new AggregateError([new Error('x'), said('53100')]),
    'unavailable',
    5,
  ],
  [
    'of a database that refuses at all its addresses',
    await given(
      new AggregateError([
        new Error('connect ECONNREFUSED ::1:5432'),
        new Error('connect ECONNREFUSED 127.0.0.1:5432'),
      ]),
    ),
    'unavailable',
    5,
  ],
  ['of a database without memory', said('53200'), 'unavailable', 5],
  ['of missing rights', said('42501'), 'internal', null],
  ['of a statement that took too long', said('57014'), 'unavailable', 5],
  ['of a deadlock', said('40P01'), 'unavailable', 2],
  ['of a serialization failure', said('40001'), 'unavailable', 2],
  ['of a lock that wasn’t free in time', said('55P03'), 'unavailable', 2],
  ['of a chain that doesn’t answer', new ChainUnavailable('Down.'), 'unavailable', 5],
  ['of a chain that doesn’t decide', new CallUndecided('Unclear.'), 'unavailable', 5],
  ['of storage that is full', new StorageUnavailable('Refused.'), 'unavailable', 5],
  ['of anything else', said('XX000'), 'internal', null],
])('an error %s is shown as what it is', (_, error, code, seconds) => {
  const shown = asAppError(error)
  expect([shown.code, shown.retryAfterSeconds ?? null]).toEqual([code, seconds])
  expect(shown.message).not.toContain('Refused')
})

test.each([
  'connect ECONNREFUSED 192.0.2.1:443',
  'read ECONNRESET',
  'write EPIPE',
  'Connection terminated unexpectedly',
  '57P01',
  'The database system is starting up',
  'canceling statement due to statement timeout',
])('a failure of something else isn’t the database’s, whatever it says: %s', (words) => {
  for (const error of [new Error(words), new AggregateError([new Error(words)]), new TypeError(words)])
    expect([databaseFaultOf(error), isOutOfTime(error)]).toEqual([null, false])
})

test.each([
  [
    'away',
    said('57P01'),
    /^The database can’t be reached \(Refused\.\)\. Nothing more was done; try again once it answers\./,
  ],
  [
    'of no room',
    said('53100'),
    /^The database can’t use its disk \(Refused\.\)\. Nothing more was done; free or add space/,
  ],
  [
    'of a standby',
    said('25006'),
    /^The database takes reads only \(Refused\.\)\. Nothing more was done; name the primary/,
  ],
  [
    'of a full disk of its own',
    Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC' }),
    /^ENOSPC: write: its disk is full: free or add space\.$/,
  ],
  ['of anything else', new Error('Say what to do.'), /^Say what to do\.$/],
])('a command tells a failure %s and what to do', (_, error, words) => {
  expect(commandFailure(error)).toMatch(words)
})
