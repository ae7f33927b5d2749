import pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { env } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'
import { clientNetwork } from '../../core/ip-address.ts'
import { rateLimitPool } from '../../db/client.ts'

/** Requests per minute of each kind of limit; 0 switches it off. */
const LIMITS = {
  'public-reads': env.RATE_LIMIT_PUBLIC_READS,
  'public-writes': env.RATE_LIMIT_PUBLIC_WRITES,
  'card-webhooks': env.RATE_LIMIT_CARD_WEBHOOKS,
  'admin-failures': env.RATE_LIMIT_ADMIN_FAILURES,
  admin: env.RATE_LIMIT_ADMIN,
} as const
export type Limit = keyof typeof LIMITS

const limiters = new Map<Limit, RateLimiterPostgres>()

function limiterOf(limit: Limit): RateLimiterPostgres {
  const known = limiters.get(limit)
  if (known) return known
  const limiter = new RateLimiterPostgres({
    storeClient: rateLimitPool(),
    storeType: pg.Pool.name,
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: limit,
    points: LIMITS[limit],
    duration: 60,
    inMemoryBlockOnConsumed: LIMITS[limit] + 1,
    clearExpiredByTimeout: false,
  })
  limiters.set(limit, limiter)
  return limiter
}

/**
 * Counts one request of `who`, a client's address or an id, and gives the RateLimit headers. An IPv6 address counts as its /64. Throws
 * rate_limited, with Retry-After, above the limit.
 */
export async function countRequest(limit: Limit, who: string): Promise<Record<string, string>> {
  const points = LIMITS[limit]
  if (points === 0) return {}
  const headers = (result: RateLimiterRes) => ({
    ratelimit: `"${limit}";r=${Math.max(0, result.remainingPoints)};t=${Math.ceil(result.msBeforeNext / 1000)}`,
    'ratelimit-policy': `"${limit}";q=${points};w=60`,
  })
  try {
    return headers(await limiterOf(limit).consume(clientNetwork(who)))
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
    throw Object.assign(
      new AppError('rate_limited', `Too many requests. Try again in ${seconds} s.`, { retryAfterSeconds: seconds }),
      {
        headers: headers(refusal),
      },
    )
  }
}
