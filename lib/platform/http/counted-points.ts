import { realNow } from '../../core/clock.ts'
import { rateLimitPool } from '../../db/client.ts'
import { call, type Call, runAlone } from '../../db/statements.ts'

/** The points counted under a key in its window, and the end of the window in milliseconds. */
export type Counted = { points: number; endsAt: number }

const ADD = {
  name: 'add_points',
  text: `INSERT INTO rate_limits AS known (key, points, expire) VALUES ($1, $2, $3)
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN known.expire > $4 THEN least(known.points, 1000000000) + $2 ELSE $2 END,
      expire = CASE WHEN known.expire > $4 THEN known.expire ELSE $3 END
    RETURNING points, expire`,
}
const IS_ANY = {
  name: 'is_any_counted',
  text: 'SELECT 1 FROM rate_limits WHERE key = ANY ($1) AND expire > $2 LIMIT 1',
}

/** Adds points to what is counted under a key, in a window that begins with its first point. */
export async function addPoints(key: string, points: number, seconds: number): Promise<Counted> {
  const at = realNow().getTime()
  const [row] = await rows<{ points: number; expire: bigint }>(call(ADD, key, points, at + seconds * 1000, at))
  return { points: row!.points, endsAt: Number(row!.expire) }
}

/** Whether anything is counted under one of these keys at the moment. */
export const isAnyCounted = async (keys: string[]): Promise<boolean> =>
  (await rows(call(IS_ANY, keys, realNow().getTime()))).length > 0

const rows = async <T>(each: Call): Promise<T[]> => (await runAlone(rateLimitPool(), [each]))[0] as T[]
