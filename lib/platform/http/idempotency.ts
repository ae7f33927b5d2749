import { createHash } from 'node:crypto'
import { realNow, secondsFrom } from '../../core/clock.ts'
import { AppError, fieldError } from '../../core/errors.ts'
import { carryOutTogether } from '../../core/group-commit.ts'
import { newId } from '../../core/id.ts'
import { seal, unseal } from '../../core/secrets.ts'
import { connectionsOf } from '../../db/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { isDatabaseDown, isOutOfTime } from '../../db/errors.ts'
import { retryingRaces } from '../../db/retrying-races.ts'
import { call, type Call, PLAN_BY_KEYS, runAlone, type Value } from '../../db/statements.ts'
import type { RequestHead } from './request-head.ts'

/** Older records are deleted by lib/data/retention. */
const RETENTION_SECONDS = 24 * 3600
/**
 * After this long without an answer the process that ran the request counts as dead and its transaction as rolled back.
 */
const LEASE_SECONDS = 30

type StoredAnswer = { status: number; text: string }

/**
 * One use of an Idempotency-Key: the stored answer of an earlier request, or the right to run this one. `storing` is
 * the statement that stores the answer in the transaction of the request's effect, and fails where another request has
 * taken the key over; `store` runs it where there was no transaction. `release` frees the key after a failure.
 */
export type Idempotency =
  | { replay: StoredAnswer }
  | {
      replay: null
      storing: (answer: StoredAnswer) => Call
      store: (answer: StoredAnswer) => Promise<void>
      release: () => Promise<void>
    }

const boundTo = (scope: string, key: string) => `${scope}\n${key}`

/**
 * The request's Idempotency-Key, null without one; a blank one is refused, since its request would be done again.
 * Requests without an API key need 22 characters, so that keys can't be guessed.
 */
export function readIdempotencyKey(request: RequestHead, keyless: boolean): string | null {
  const key = request.headers.get('idempotency-key')
  if (key === null) return null
  const minLength = keyless ? 22 : 1
  if (key.trim() === '' || key.length < minLength || key.length > 255)
    throw fieldError(
      'invalid_request',
      'Idempotency-Key',
      `An Idempotency-Key has ${minLength} to 255 characters here.`,
      'length',
    )
  return key
}

const KNOWN = columns('k', 'IdempotencyRecord', ['bodyHash', 'leaseId', 'status', 'answer'])

/**
 * Takes new keys of many requests in one order, so that no two processes wait for each other, and says who has each.
 */
const TAKE_NEW = [
  {
    name: 'take_new_idempotency_keys',
    text: `INSERT INTO idempotency_records (scope, key, body_hash, lease_id, lease_ends, created_at)
      SELECT r.scope, r.key, r.body_hash, r.lease_id, $5::timestamptz, $6::timestamptz
      FROM unnest($1::text[], $2::text[], $3::bytea[], $4::uuid[]) AS r(scope, key, body_hash, lease_id)
      ORDER BY r.scope, r.key ON CONFLICT DO NOTHING`,
  },
  {
    name: 'read_idempotency_keys',
    text: `SELECT i.* FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS r(scope, key, at)
      LEFT JOIN LATERAL (
        SELECT ${KNOWN},
          created_at < $3::timestamptz OR status IS NULL AND lease_ends < $4::timestamptz AS "isFree"
        FROM idempotency_records k WHERE scope = r.scope AND key = r.key LIMIT 1
      ) i ON true ORDER BY r.at`,
  },
] as const
/**
 * Takes a new key, one that is outdated, or one of the same request whose process died; the last statement says who has
 * it.
 */
const TAKE = [
  {
    name: 'take_new_idempotency_key',
    text: `INSERT INTO idempotency_records (scope, key, body_hash, lease_id, lease_ends, created_at)
      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
  },
  {
    name: 'take_free_idempotency_key',
    text: `UPDATE idempotency_records
      SET body_hash = $3, lease_id = $4, lease_ends = $5, created_at = $6, status = NULL, answer = NULL
      WHERE scope = $1 AND key = $2
        AND (created_at < $7 OR status IS NULL AND lease_ends < $6 AND body_hash = $3 AND lease_id <> $4)`,
  },
  {
    name: 'read_idempotency_key',
    text: `SELECT ${KNOWN} FROM idempotency_records k WHERE scope = $1 AND key = $2`,
  },
] as const
const STORE = { name: 'store_answer', text: 'SELECT 1 FROM store_answer($1, $2, $3::uuid, $4::integer, $5)' }
const STORE_ALL = {
  name: 'store_answers',
  text: 'SELECT 1 FROM store_answers($1::text[], $2::text[], $3::uuid[], $4::integer[], $5::bytea[])',
}
const RELEASE = {
  name: 'release_idempotency_key',
  text: 'DELETE FROM idempotency_records WHERE scope = $1 AND key = $2 AND lease_id = $3 AND status IS NULL',
}
type Known = RowOf<typeof KNOWN>
/** One request that asks for a key. */
type Taking = { scope: string; key: string; bodyHash: Buffer; leaseId: string }

const AT_ONCE = { name: 'write_at_once', text: `SELECT ${PLAN_BY_KEYS}, set_config('synchronous_commit', 'off', true)` }

/**
 * Takes and frees keys without waiting for the disk. PostgreSQL writes commits to disk in their order: a key whose
 * request has changed anything durably is as durable. After a crash a key may be lost whose request has changed nothing
 * yet, which is what the end of its lease does too; and one that was freed may be taken until its lease ends. What a
 * request does outside of the database follows a commit that was waited for, or does no harm twice: it stores an image
 * under its content's name, or passes a signed transaction on.
 */
const run = async (...calls: Call[]) =>
  (await runAlone(connectionsOf('vitrine_system'), [call(AT_ONCE), ...calls])).slice(1)

const MOST_TOGETHER = 100
/** More than a process works on at once. */
const MOST_WAITING = 10_000

/**
 * Who has a key after this request asked for it, null where it was freed meanwhile. Keys that are asked for while
 * others are taken are taken in the next statement.
 */
async function take(taking: Taking): Promise<Known | null> {
  const known = await carryOutTogether<Taking, (Known & { isFree: boolean }) | null>(
    {
      key: 'idempotency keys',
      most: MOST_TOGETHER,
      waiting: MOST_WAITING,
      work: (all) => retryingRaces(() => takeNew(all)),
      isShared: (error) => isDatabaseDown(error) || isOutOfTime(error),
    },
    taking,
  )
  if (!known || known.leaseId === taking.leaseId || !known.isFree) return known
  const at = realNow()
  const [insert, update, read] = TAKE
  const record = [
    taking.scope,
    taking.key,
    taking.bodyHash,
    taking.leaseId,
    secondsFrom(at, LEASE_SECONDS),
    at,
  ] as const
  const results = await run(
    call(insert, ...record),
    call(update, ...record, secondsFrom(at, -RETENTION_SECONDS)),
    call(read, taking.scope, taking.key),
  )
  return (results[2]![0] as Known | undefined) ?? null
}

async function takeNew(all: readonly Taking[]): Promise<((Known & { isFree: boolean }) | null)[]> {
  const at = realNow()
  const [insert, read] = TAKE_NEW
  const keys = [all.map(({ scope }) => scope), all.map(({ key }) => key)] as const
  const [, rows] = await run(
    call(
      insert,
      ...keys,
      all.map(({ bodyHash }) => bodyHash),
      all.map(({ leaseId }) => leaseId),
      secondsFrom(at, LEASE_SECONDS),
      at,
    ),
    call(read, ...keys, secondsFrom(at, -RETENTION_SECONDS), at),
  )
  return (rows as (Known & { isFree: boolean })[]).map((row) => ((row.leaseId as string | null) === null ? null : row))
}

/** Joins the statements of a batch that store answers into one. The other statements stay as they are. */
export function storedTogether(calls: readonly Call[]): Call[] {
  const stores = calls.filter(({ statement }) => statement === STORE).map(({ values }) => values)
  const others = calls.filter(({ statement }) => statement !== STORE)
  if (stores.length === 0) return others
  const columns = stores[0]!.map((_, at) => stores.map((values) => values[at] as Value))
  return [...others, call(STORE_ALL, ...columns)]
}

/**
 * Takes the key for this request, or gives the stored answer. Only 2xx answers are stored. Throws idempotency_mismatch
 * when the key was used with other content, and idempotency_in_flight while the first request is running.
 */
export async function beginIdempotent(scope: string, key: string, content: string): Promise<Idempotency> {
  const bodyHash = createHash('sha256').update(content).digest()
  const leaseId = newId()
  const known = await take({ scope, key, bodyHash, leaseId })
  if (!known) return beginIdempotent(scope, key, content)
  if (known.leaseId !== leaseId) return { replay: answerOf(known, bodyHash, boundTo(scope, key)) }
  const storing = ({ status, text }: StoredAnswer) =>
    call(STORE, scope, key, leaseId, status, seal('idempotency', boundTo(scope, key), text))
  return {
    replay: null,
    storing,
    store: async (answer) => void (await runAlone(connectionsOf('vitrine_system'), [storing(answer)])),
    release: async () => void (await run(call(RELEASE, scope, key, leaseId))),
  }
}

function answerOf({ bodyHash, status, answer }: Known, given: Buffer, bound: string): StoredAnswer {
  if (!given.equals(bodyHash))
    throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used for a request with other content.')
  if (status === null || !answer)
    throw new AppError('idempotency_in_flight', 'The first request with this Idempotency-Key is still running.', {
      retryAfterSeconds: 1,
    })
  return { status, text: unseal<string>('idempotency', bound, answer) }
}

/** The error for a request whose key another one has taken over, since it took too long. */
export const keyTakenOver = () =>
  new AppError('idempotency_in_flight', 'Another request took this Idempotency-Key over.')
