import { Prisma } from '../../generated/prisma/client.ts'
import { log } from '../core/log.ts'
import { systemContext } from '../platform/auth/authenticate.ts'
import { loop } from './loop.ts'

const BEAT_MS = 2_000

/**
 * Records, by PostgreSQL's clock, that this worker runs. A stop is recorded too, so that only a worker that hangs or
 * died is silent.
 */
export async function beat(id: string, signal: AbortSignal): Promise<void> {
  const worker = systemContext('heartbeat')
  const step = async () => {
    await worker.sql(Prisma.sql`
      INSERT INTO workers (id, started_at, seen_at) VALUES (${id}::uuid, clock_timestamp(), clock_timestamp())
      ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()`)
    return BEAT_MS
  }
  await loop('heartbeat', signal, step, { inMaintenance: true })
  await worker
    .sql(Prisma.sql`UPDATE workers SET stopped_at = clock_timestamp() WHERE id = ${id}::uuid`)
    .catch((error: unknown) =>
      log.warn({ error }, 'The stop was not recorded; an alarm will say that this worker is silent.'),
    )
}
