import pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../../core/errors.ts'
import { hmacsOf } from '../../core/secrets.ts'
import { serializeByKey } from '../../core/serialize-by-key.ts'
import { rateLimitPool } from '../../db/client.ts'

type Limit = { name: string; most: number; seconds: number }

const limiters = new Map<string, { things: RateLimiterPostgres; askers: RateLimiterPostgres }>()

function limitersOf({ name, most, seconds }: Limit) {
  const known = limiters.get(name)
  if (known) return known
  const options = {
    storeClient: rateLimitPool(),
    storeType: pg.Pool.name,
    tableName: 'rate_limits',
    tableCreated: true,
    duration: seconds,
    clearExpiredByTimeout: false,
  }
  const made = {
    things: new RateLimiterPostgres({ ...options, keyPrefix: `${name}-thing`, points: 1 }),
    askers: new RateLimiterPostgres({ ...options, keyPrefix: name, points: most }),
  }
  limiters.set(name, made)
  return made
}

/**
 * Lets `who` ask about at most `most` different things in so many seconds; asking about one of them again is free. Throws
 * `rate_limited`, with Retry-After, for a further one. Of a thing only a keyed hash is stored.
 */
export async function limitDistinct(limit: Limit, who: string, thing: string): Promise<void> {
  if (limit.most === 0) return
  // One after another: of several questions about one thing at once, only the first counts.
  return serializeByKey(`${limit.name} ${who}`, () => count(limit, who, thing))
}

async function count(limit: Limit, who: string, thing: string): Promise<void> {
  const { things, askers } = limitersOf(limit)
  const keys = hmacsOf('rate-limit', limit.name, who, thing).map(({ mac }) => mac.toString('base64url'))
  for (const key of keys) if (await things.get(key)) return
  try {
    await askers.consume(who)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
    throw new AppError('rate_limited', `Too many different questions. Try again in ${Math.ceil(seconds / 60)} min.`, {
      retryAfterSeconds: seconds,
    })
  }
  // Only now: a thing that was refused is not free to ask about again.
  await things.set(keys[0]!, 1, limit.seconds)
}
