import { DAY, now, secondsFrom } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { sessionHash } from '../../lib/platform/auth/create-session.ts'

/** A session of this person that was signed in so long ago; returns its token. */
export async function makeSession(
  userId: string,
  { secondsAgo = 0, expires = secondsFrom(now(), DAY) } = {},
): Promise<string> {
  const token = newId()
  await systemClient().session.create({
    data: { tokenHash: sessionHash(token), userId, expires, createdAt: secondsFrom(now(), -secondsAgo) },
  })
  return token
}
