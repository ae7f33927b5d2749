import { createHash } from 'node:crypto'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../auth/context.ts'
import { now, secondsFrom } from '../../core/clock.ts'
import { AppError, fieldError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { seal, unseal } from '../../core/secrets.ts'
import { systemClient } from '../../db/client.ts'

/** Older records are deleted by lib/data/retention. */
const RETENTION_SECONDS = 24 * 3600
/** After this long without an answer the process that ran the request counts as dead and its transaction as rolled back. */
const LEASE_SECONDS = 30

type StoredAnswer = { status: number; text: string }

/**
 * One use of an Idempotency-Key: the stored answer of an earlier request, or the right to run this one. `store` must be called in
 * the transaction of the request's effect; `release` frees the key after a failure.
 */
export type Idempotency =
  | { replay: StoredAnswer }
  | {
      replay: null
      store: (reach: Pick<Context, 'sql'>, answer: StoredAnswer) => Promise<void>
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

/**
 * Takes the key for this request, or gives the stored answer. Only 2xx answers are stored. Throws idempotency_mismatch when the
 * key was used with other content, and idempotency_in_flight while the first request is running.
 */
export async function beginIdempotent(scope: string, key: string, content: string): Promise<Idempotency> {
  const bodyHash = new Uint8Array(createHash('sha256').update(content).digest())
  const leaseId = newId()
  const records = systemClient().idempotencyRecord
  const record = { scope, key, bodyHash, leaseId, leaseEnds: secondsFrom(now(), LEASE_SECONDS), createdAt: now() }
  const { count } = await records.createMany({ data: record, skipDuplicates: true })
  if (count === 0) {
    const outdated = { createdAt: { lt: secondsFrom(now(), -RETENTION_SECONDS) } }
    const abandoned = { status: null, leaseEnds: { lt: now() }, bodyHash }
    const taken = await records.updateMany({
      where: { scope, key, OR: [outdated, abandoned] },
      data: { ...record, status: null, answer: null },
    })
    if (taken.count === 0) {
      const earlier = await records.findUnique({ where: { scope_key: { scope, key } } })
      if (!earlier) return beginIdempotent(scope, key, content)
      if (!Buffer.from(earlier.bodyHash).equals(bodyHash))
        throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used for a request with other content.')
      if (earlier.status === null || !earlier.answer)
        throw new AppError('idempotency_in_flight', 'The first request with this Idempotency-Key is still running.', {
          retryAfterSeconds: 1,
        })
      return {
        replay: { status: earlier.status, text: unseal<string>('idempotency', boundTo(scope, key), earlier.answer) },
      }
    }
  }
  return {
    replay: null,
    async store({ sql }, { status, text }) {
      const answer = seal('idempotency', boundTo(scope, key), text)
      const rows = await sql(Prisma.sql`
        UPDATE idempotency_records SET status = ${status}, answer = ${answer}
        WHERE scope = ${scope} AND key = ${key} AND lease_id = ${leaseId}::uuid RETURNING key`)
      if (rows.length === 0)
        throw new AppError('idempotency_in_flight', 'Another request took this Idempotency-Key over.')
    },
    async release() {
      await records.deleteMany({ where: { scope, key, leaseId, status: null } })
    },
  }
}
