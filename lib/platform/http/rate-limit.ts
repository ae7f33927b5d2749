import { env } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'
import { clientNetwork } from '../../core/ip-address.ts'
import { ownWindows, takeAfterwards, takePermit } from './permits.ts'

/** Requests per minute of each kind of limit; 0 switches it off. */
const LIMITS = {
  'public-reads': env.RATE_LIMIT_PUBLIC_READS,
  'public-writes': env.RATE_LIMIT_PUBLIC_WRITES,
  'card-webhooks': env.RATE_LIMIT_CARD_WEBHOOKS,
  'admin-failures': env.RATE_LIMIT_ADMIN_FAILURES,
  admin: env.RATE_LIMIT_ADMIN,
} as const
export type Limit = keyof typeof LIMITS

const WINDOW_SECONDS = 60
/** Milliseconds of processor time that count as one request. */
const REQUEST_MS = 25

/**
 * Counts one request of `who`, a client's address or an id, and gives the RateLimit headers. An IPv6 address counts as
 * its /64. Throws rate_limited, with Retry-After, above the limit.
 */
export async function countRequest(limit: Limit, who: string): Promise<Record<string, string>> {
  const points = LIMITS[limit]
  if (points === 0) return {}
  const permit = await takePermit(ownWindows(), keyOf(limit, who), points, WINDOW_SECONDS)
  const seconds = Math.max(1, Math.ceil(permit.msToEnd / 1000))
  const headers = {
    ratelimit: `"${limit}";r=${permit.remaining};t=${seconds}`,
    'ratelimit-policy': `"${limit}";q=${points};w=${WINDOW_SECONDS}`,
  }
  if (permit.isGranted) return headers
  throw Object.assign(
    new AppError('rate_limited', `Too many requests. Try again in ${seconds} s.`, { retryAfterSeconds: seconds }),
    { headers },
  )
}

/**
 * Counts processor time that a request of `who` took of what all organizations share, in milliseconds, as further
 * requests. Who has none left is refused from the next request on.
 */
export async function countTime(limit: Limit, who: string, ms: number): Promise<void> {
  if (LIMITS[limit] > 0 && ms > 0)
    await takeAfterwards(ownWindows(), keyOf(limit, who), Math.ceil(ms / REQUEST_MS), WINDOW_SECONDS)
}

const keyOf = (limit: Limit, who: string) => `${limit}:${clientNetwork(who)}`
