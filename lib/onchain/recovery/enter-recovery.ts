import { Prisma } from '../../../generated/prisma/client.ts'
import { raiseAlarm, resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { secondsFrom } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { newId } from '../../core/id.ts'
import { jumpRequestNumbers } from '../../orders/jump-request-numbers.ts'
import { laneName } from '../transactions/lane-name.ts'
import { LONGEST_VOUCHER_SECONDS } from '../vouchers/sign-voucher.ts'

/**
 * The books are behind the chain: they were put back from a backup, or it isn't settled yet whether they were
 * (settle-lanes.ts). The lane sends nothing until the index has reached the head of now. Request numbers jump past all
 * that may have been given, and organizations that sell or give by vouchers promise no unit before the longest-lived
 * voucher that is missing in the books has expired: of all collections of the network once something is lost, since one
 * database is behind for every lane, and of this operator's before. Does nothing where that has begun. `reason`: what
 * was seen, as a sentence.
 */
export async function enterRecovery(
  worker: SystemContext,
  chain: Chain,
  operator: string,
  { reason, isLost }: { reason: string; isLost: boolean },
): Promise<void> {
  const { number: untilBlock } = await chain.head()
  const { id: networkId, name } = chain.network
  const startedAt = worker.now()
  const lostAt = isLost ? startedAt.toISOString() : null
  const isBegun = await inTransaction(worker, async (tx) => {
    const [begun] = await tx.sql<{ wasOpen: boolean; startedAt: Date }>(Prisma.sql`
      INSERT INTO recoveries (id, network_id, operator, until_block, started_at, lost_at)
      VALUES (${newId()}::uuid, ${networkId}, ${operator}, ${untilBlock}, ${startedAt.toISOString()}::timestamptz,
        ${lostAt}::timestamptz)
      ON CONFLICT (network_id, operator) WHERE ended_at IS NULL DO UPDATE
        SET lost_at = EXCLUDED.lost_at, until_block = EXCLUDED.until_block
        WHERE recoveries.lost_at IS NULL AND EXCLUDED.lost_at IS NOT NULL
      RETURNING (xmax <> 0) AS "wasOpen", started_at AS "startedAt"`)
    if (!begun) return false
    const held = heldOf(networkId, operator, isLost ? (begun.wasOpen ? 'others' : 'all') : 'own')
    await jumpRequestNumbers(tx, networkId)
    await raiseFloors(tx, held)
    await holdPromises(tx, networkId, held, begun.startedAt)
    await resolveAlarm(tx, 'books_behind', laneName(networkId, operator))
    await raiseAlarm(
      tx,
      'books_behind',
      laneName(networkId, operator),
      isLost
        ? `The books of ${operator} on ${name} are behind the chain, as after a backup was put back: ${reason} ` +
            'Nothing is sent, expires or is refunded there until they have caught up. If no backup was put back, ' +
            `something else uses this key, and npm run restore -- --sent-by-hand ${operator} ends it.`
        : `The books of ${operator} on ${name} are behind the chain: ${reason} Its transactions are being read. ` +
            'What it mints waits until then; if they were sent by hand, it goes on by itself. ' +
            `npm run restore -- --check reads them at once, and --sent-by-hand ${operator} ends it.`,
    )
    return true
  })
  if (isBegun) crashPoint('recovery_begun')
}

/** When no voucher can be valid any more that was signed before a recovery began. */
export const promisesFrom = (startedAt: Date): Date => secondsFrom(startedAt, LONGEST_VOUCHER_SECONDS)

/**
 * The collections whose contracts are ours, of this operator, of the others, or all, locked in the order of their ids.
 */
const heldOf = (networkId: number, operator: string, whose: 'own' | 'others' | 'all') => Prisma.sql`
  SELECT id FROM collections
  WHERE network_id = ${networkId} AND deployment_type = 'PLATFORM' AND contract_address IS NOT NULL
    AND (${whose} = 'all' OR (minter IS NOT DISTINCT FROM ${operator}) = (${whose} = 'own'))
  ORDER BY id FOR NO KEY UPDATE`

/** Numbers from here on are given after the recovery began. */
async function raiseFloors(tx: SystemContext, held: Prisma.Sql): Promise<void> {
  await tx.sql(Prisma.sql`UPDATE collections SET request_id_floor = next_request_id WHERE id IN (${held})`)
}

/** Who never used a voucher before the backup isn't held up. */
async function holdPromises(tx: SystemContext, networkId: number, held: Prisma.Sql, startedAt: Date): Promise<void> {
  const until = promisesFrom(startedAt).toISOString()
  await tx.sql(Prisma.sql`
    UPDATE collections c SET promises_from = greatest(promises_from, ${until}::timestamptz)
    WHERE id IN (${held}) AND (
      EXISTS (SELECT 1 FROM vouchers v WHERE v.organization_id = c.organization_id AND v.network_id = ${networkId})
      OR EXISTS (SELECT 1 FROM listings l WHERE l.organization_id = c.organization_id AND l.network_id = ${networkId}
        AND ('MINT_VOUCHER' = ANY(l.payment_providers) OR l.tx_payer = 'BUYER'))
      OR EXISTS (SELECT 1 FROM email_claims e WHERE e.organization_id = c.organization_id AND e.tx_payer = 'BUYER'))`)
}
