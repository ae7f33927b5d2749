import { createHash } from 'node:crypto'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../auth/context.ts'
import { now, secondsFrom } from '../../core/clock.ts'
import { AppError, fieldError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { seal, unseal } from '../../core/secrets.ts'
import { systemClient } from '../../db/client.ts'

/** lib/worker/forget-answers.ts clears away what is older. */
const KEPT_SECONDS = 24 * 3600
/** After this long without an answer the process that ran the request is taken for dead; its effect never happened. */
const LEASE_SECONDS = 30

type Kept = { status: number; text: string }

/** One use of an Idempotency-Key: either the answer of before, or the right to run and a way to keep the new answer. */
export type Idempotency =
  | { replay: Kept }
  | { replay: null; keep: (reach: Pick<Context, 'sql'>, kept: Kept) => Promise<void>; free: () => Promise<void> }

const boundTo = (scope: string, key: string) => `${scope}\n${key}`

export function readIdempotencyKey(request: Request, keyless: boolean): string | null {
  const key = request.headers.get('idempotency-key')
  if (key === null || key === '') return null
  const fewest = keyless ? 22 : 1
  if (key.length < fewest || key.length > 255)
    throw fieldError(
      'invalid_request',
      'Idempotency-Key',
      `An Idempotency-Key has ${fewest} to 255 characters here.`,
      'length',
    )
  return key
}

/** Takes the key for this request. Only 2xx answers are kept, in the effect's own transaction (gaps.md 8). */
export async function beginIdempotent(scope: string, key: string, content: string): Promise<Idempotency> {
  const bodyHash = new Uint8Array(createHash('sha256').update(content).digest())
  const leaseId = newId()
  const records = systemClient().idempotencyRecord
  const fresh = { scope, key, bodyHash, leaseId, leaseEnds: secondsFrom(now(), LEASE_SECONDS), createdAt: now() }
  const { count } = await records.createMany({ data: fresh, skipDuplicates: true })
  if (count === 0) {
    const outdated = { createdAt: { lt: secondsFrom(now(), -KEPT_SECONDS) } }
    const abandoned = { status: null, leaseEnds: { lt: now() }, bodyHash }
    const taken = await records.updateMany({
      where: { scope, key, OR: [outdated, abandoned] },
      data: { ...fresh, status: null, answer: null },
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
    async keep({ sql }, { status, text }) {
      const answer = seal('idempotency', boundTo(scope, key), text)
      const rows = await sql(Prisma.sql`
        UPDATE idempotency_records SET status = ${status}, answer = ${answer}
        WHERE scope = ${scope} AND key = ${key} AND lease_id = ${leaseId}::uuid RETURNING key`)
      if (rows.length === 0)
        throw new AppError('idempotency_in_flight', 'Another request took this Idempotency-Key over.')
    },
    async free() {
      await records.deleteMany({ where: { scope, key, leaseId, status: null } })
    },
  }
}
