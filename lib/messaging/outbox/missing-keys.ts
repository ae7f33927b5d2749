import os from 'node:os'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { KeyMissing } from '../../core/server-keys.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'

/** A key whose id isn't known, in the words of KeyMissing. */
const UNNAMED = 'a server key that'

/**
 * A mail waits because this worker lacks the key that its contents, or the settings that it is sent by, were sealed
 * with.
 */
export async function mailLacksKey(
  worker: SystemContext,
  mailId: string,
  { keyId, message }: KeyMissing,
): Promise<void> {
  await worker.db.outboxMessage.updateMany({
    where: { id: mailId, state: 'PENDING' },
    data: { lastError: message },
  })
  await raiseAlarm(
    worker,
    'server_key_missing',
    keyId ?? UNNAMED,
    `Mails wait: the worker on ${os.hostname()} can’t open them, since its SERVER_KEY doesn’t list ` +
      `${keyId === null ? 'their key' : `the key ${keyId}`}. Give every worker the same SERVER_KEY as the web ` +
      'processes (docs/keys.md), and start it again. PINs and sign-in links that get too old meanwhile aren’t sent.',
  )
}

/** Ends the alarms about keys that no mail waits for any more. */
export async function endKeyAlarms(worker: SystemContext): Promise<void> {
  await worker.sql(Prisma.sql`
    UPDATE alarms a SET resolved_at = ${worker.now().toISOString()}::timestamptz
    WHERE kind = 'server_key_missing' AND resolved_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM outbox_messages m
      WHERE m.state = 'PENDING' AND m.next_at IS NOT NULL AND strpos(m.last_error, a.subject) > 0)`)
}
