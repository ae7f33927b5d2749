import { Prisma } from '../../generated/prisma/client.ts'
import type { Statement } from '../db/statements.ts'
import type { SystemContext } from '../platform/auth/context.ts'
import { raiseAlarm } from '../records/alarms/raise-alarm.ts'

/** How far request numbers jump, so that none is given twice. A number tells by itself how many jumps there were. */
const JUMP = 2n ** 32n
/** Numbers stay below this: JSON can carry them exactly. */
const LIMIT = 2n ** 53n

/**
 * Lets the request numbers of a network's collections ($1), or of all (null), jump past all that may have been given.
 * It locks the collections.
 */
export const JUMP_REQUEST_NUMBERS: Statement = {
  name: 'jump_request_numbers',
  text: `UPDATE collections SET next_request_id = next_request_id + ${JUMP}
    WHERE id IN (SELECT id FROM collections WHERE network_id = $1::int OR $1::int IS NULL ORDER BY id FOR NO KEY UPDATE)
      AND next_request_id + ${JUMP} < ${LIMIT}`,
}

/**
 * The books may lack numbers that were given: those of a network's collections, or of all (null), jump. Harmless when
 * none is missing. Once half of all numbers are used up, an alarm says so: near their end none jumps any more.
 */
export async function jumpRequestNumbers(tx: SystemContext, networkId: number | null): Promise<void> {
  await tx.rows(JUMP_REQUEST_NUMBERS, networkId)
  const [used] = await tx.sql<{ highest: bigint }>(
    Prisma.sql`SELECT coalesce(max(next_request_id), 0) AS highest FROM collections`,
  )
  if (used!.highest > LIMIT / 2n)
    await raiseAlarm(
      tx,
      'request_numbers_short',
      'request numbers',
      `Request numbers have jumped ${used!.highest / JUMP} times; ${LIMIT / JUMP} times is the most. ` +
        'Find out why the database changes its place so often.',
    )
}
