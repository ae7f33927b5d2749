import { createHash } from 'node:crypto'
import { now, secondsFrom } from '../../core/clock.ts'
import { AppError, fieldError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { seal, unseal } from '../../core/secrets.ts'
import { connectionsOf } from '../../db/client.ts'
import { call, type Call, runAlone } from '../../db/statements.ts'

/** Older records are deleted by lib/data/retention. */
const RETENTION_SECONDS = 24 * 3600
/** After this long without an answer the process that ran the request counts as dead and its transaction as rolled back. */
const LEASE_SECONDS = 30

type StoredAnswer = { status: number; text: string }

/**
 * One use of an Idempotency-Key: the stored answer of an earlier request, or the right to run this one. `storing` is the statement that
 * stores the answer in the transaction of the request's effect, and fails where another request has taken the key over; `store` runs it
 * where there was no transaction. `release` frees the key after a failure.
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

/** The request's Idempotency-Key, null without one. Requests without an API key need 22 characters, so that keys can't be guessed. */
export function readIdempotencyKey(request: Request, keyless: boolean): string | null {
  const key = request.headers.get('idempotency-key')
  if (key === null || key === '') return null
  const minLength = keyless ? 22 : 1
  if (key.length < minLength || key.length > 255)
    throw fieldError(
      'invalid_request',
      'Idempotency-Key',
      `An Idempotency-Key has ${minLength} to 255 characters here.`,
      'length',
    )
  return key
}

/** Takes a new key, one that is outdated, or one of the same request whose process died; the last statement says who has it. */
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
    text: `SELECT body_hash AS "bodyHash", lease_id AS "leaseId", status, answer FROM idempotency_records
      WHERE scope = $1 AND key = $2`,
  },
] as const
const STORE = { name: 'store_answer', text: 'SELECT 1 FROM store_answer($1, $2, $3::uuid, $4::integer, $5)' }
const RELEASE = {
  name: 'release_idempotency_key',
  text: 'DELETE FROM idempotency_records WHERE scope = $1 AND key = $2 AND lease_id = $3 AND status IS NULL',
}
type Known = { bodyHash: Buffer; leaseId: string; status: number | null; answer: Buffer | null }

const run = (...calls: Call[]) => runAlone(connectionsOf('vitrine_system'), calls)

/**
 * Takes the key for this request, or gives the stored answer. Only 2xx answers are stored. Throws idempotency_mismatch when the
 * key was used with other content, and idempotency_in_flight while the first request is running.
 */
export async function beginIdempotent(scope: string, key: string, content: string): Promise<Idempotency> {
  const bodyHash = createHash('sha256').update(content).digest()
  const leaseId = newId()
  const at = now()
  const [insert, update, read] = TAKE
  const record = [scope, key, bodyHash, leaseId, secondsFrom(at, LEASE_SECONDS), at] as const
  const results = await run(
    call(insert, ...record),
    call(update, ...record, secondsFrom(at, -RETENTION_SECONDS)),
    call(read, scope, key),
  )
  const known = results[2]![0] as Known | undefined
  if (!known) return beginIdempotent(scope, key, content)
  if (known.leaseId !== leaseId) return { replay: answerOf(known, bodyHash, boundTo(scope, key)) }
  const storing = ({ status, text }: StoredAnswer) =>
    call(STORE, scope, key, leaseId, status, seal('idempotency', boundTo(scope, key), text))
  return {
    replay: null,
    storing,
    store: async (answer) => void (await run(storing(answer))),
    release: async () => void (await run(call(RELEASE, scope, key, leaseId))),
  }
}

function answerOf({ bodyHash, status, answer }: Known, given: Buffer, bound: string): StoredAnswer {
  if (!bodyHash.equals(given))
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
