import { realNow } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { hmacsOf } from '../../core/secrets.ts'
import { serializeByKey } from '../../core/serialize-by-key.ts'
import { addPoints, isAnyCounted } from './counted-points.ts'

type Limit = { name: string; most: number; seconds: number }

/**
 * Lets `who` ask about at most `most` different things in so many seconds; asking about one of them again is free.
 * Throws `rate_limited`, with Retry-After, for a further one. Of a thing only a keyed hash is stored.
 */
export async function limitDistinct(limit: Limit, who: string, thing: string): Promise<void> {
  if (limit.most === 0) return
  // One after another: of several questions about one thing at once, only the first counts.
  return serializeByKey(`${limit.name} ${who}`, () => count(limit, who, thing))
}

async function count({ name, most, seconds }: Limit, who: string, thing: string): Promise<void> {
  const keys = hmacsOf('rate-limit', name, who, thing).map(({ mac }) => `${name}-thing:${mac.toString('base64url')}`)
  if (await isAnyCounted(keys)) return
  const { points, endsAt } = await addPoints(`${name}:${who}`, 1, seconds)
  if (points > most) {
    const wait = Math.max(1, Math.ceil((endsAt - realNow().getTime()) / 1000))
    throw new AppError('rate_limited', `Too many different questions. Try again in ${Math.ceil(wait / 60)} min.`, {
      retryAfterSeconds: wait,
    })
  }
  // Only now: a thing that was refused is not free to ask about again.
  await addPoints(keys[0]!, 1, seconds)
}
