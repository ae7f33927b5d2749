import { Prisma } from '../../../generated/prisma/client.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { inTransaction, type WorkerContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { secondsFrom } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { newId } from '../../core/id.ts'
import { laneName } from '../transactions/lane-name.ts'
import { LONGEST_VOUCHER_SECONDS } from '../vouchers/sign-voucher.ts'

/** How far request numbers jump, so that none is given twice. */
const JUMP = 2n ** 32n
/** Numbers stay below this: JSON can carry them exactly. */
const NUMBER_LIMIT = 2n ** 53n

/**
 * The books are behind the chain: they were put back from a backup. The lane sends nothing until the index has reached the head of
 * now. Request numbers of the network's collections jump past all that may have been given, and organizations that sell or give by
 * vouchers promise no unit before the longest-lived voucher that is missing in the books has expired. Does nothing while the lane's
 * recovery is open. `reason`: what was seen, as a sentence.
 */
export async function enterRecovery(
  worker: WorkerContext,
  chain: Chain,
  operator: string,
  reason: string,
): Promise<void> {
  const { number: untilBlock } = await chain.head()
  const { id: networkId, name } = chain.network
  const startedAt = worker.now()
  const isBegun = await inTransaction(worker, async (tx) => {
    const isNew = await tx.sql(Prisma.sql`
      INSERT INTO recoveries (id, network_id, operator, until_block, started_at)
      VALUES (${newId()}::uuid, ${networkId}, ${operator}, ${untilBlock}, ${startedAt.toISOString()}::timestamptz)
      ON CONFLICT (network_id, operator) WHERE ended_at IS NULL DO NOTHING RETURNING 1`)
    if (isNew.length === 0) return false
    await jumpRequestNumbers(tx, networkId)
    await holdPromises(tx, networkId, startedAt)
    await raiseAlarm(
      tx,
      'books_behind',
      laneName(networkId, operator),
      `The books of ${operator} on ${name} are behind the chain, as after a backup was put back: ${reason} Nothing is sent, expires or is refunded there until they have caught up. If no backup was put back, something else uses this key.`,
    )
    return true
  })
  if (isBegun) crashPoint('recovery_begun')
}

/** When no voucher can be valid any more that was signed before a recovery began. */
export const promisesFrom = (startedAt: Date): Date => secondsFrom(startedAt, LONGEST_VOUCHER_SECONDS)

/** The collections whose contracts are ours, locked in the order of their ids. */
const ourCollections = (networkId: number) => Prisma.sql`
  SELECT id FROM collections WHERE network_id = ${networkId} AND deployment_type = 'PLATFORM' AND contract_address IS NOT NULL ORDER BY id FOR NO KEY UPDATE`

async function jumpRequestNumbers(tx: WorkerContext, networkId: number): Promise<void> {
  await tx.sql(Prisma.sql`
    UPDATE collections SET next_request_id = next_request_id + ${JUMP}, request_id_floor = next_request_id + ${JUMP}
    WHERE id IN (${ourCollections(networkId)}) AND next_request_id + ${JUMP} < ${NUMBER_LIMIT}`)
}

/** Who never used a voucher before the backup isn't held up. */
async function holdPromises(tx: WorkerContext, networkId: number, startedAt: Date): Promise<void> {
  const until = promisesFrom(startedAt).toISOString()
  await tx.sql(Prisma.sql`
    UPDATE collections c SET promises_from = greatest(promises_from, ${until}::timestamptz)
    WHERE id IN (${ourCollections(networkId)}) AND (
      EXISTS (SELECT 1 FROM vouchers v WHERE v.organization_id = c.organization_id AND v.network_id = ${networkId})
      OR EXISTS (SELECT 1 FROM listings l WHERE l.organization_id = c.organization_id AND l.network_id = ${networkId}
        AND ('MINT_VOUCHER' = ANY(l.payment_providers) OR l.tx_payer = 'BUYER'))
      OR EXISTS (SELECT 1 FROM email_claims e WHERE e.organization_id = c.organization_id AND e.tx_payer = 'BUYER'))`)
}
