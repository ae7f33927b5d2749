import { Prisma, type VoucherFactType } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction, within, type SystemContext } from '../../platform/auth/context.ts'
import { pauseSeconds } from '../../platform/jobs/row-tries.ts'
import { rowFailed, rowSucceeded } from '../../records/alarms/on-row-stuck.ts'
import { secondsFrom } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { log } from '../../core/log.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { isDatabaseDown } from '../../db/errors.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { readFinalEntered } from '../indexer/read-indexed.ts'
import { type VoucherFact, voucherCancelled, voucherRedeemed, voucherUnredeemed } from './apply-voucher-fact.ts'

const BATCH = 200
const CONCURRENCY = 4
const FINALITY_CHECK_SECONDS = 1
const KIND = 'voucher fact'

const APPLY = {
  REDEEMED: voucherRedeemed,
  UNREDEEMED: voucherUnredeemed,
  CANCELLED: voucherCancelled,
} as const satisfies Record<VoucherFactType, (tx: Context, fact: VoucherFact) => Promise<void>>

const FACT = columns('f', 'VoucherFact', ['id', 'organizationId', 'voucherId', 'type', 'txHash', 'attempts'])
type DueFact = RowOf<typeof FACT>

/**
 * Applies what the chain says of a network's vouchers: each fact in a transaction of its own, the facts of a voucher in
 * chain order. A cancellation waits until its block is final. A fact that fails is tried again later, and only the
 * later facts of its voucher wait for it. Any number of processes may run this. Returns how many were applied.
 */
export async function applyVoucherFacts(worker: SystemContext, chain: Chain): Promise<number> {
  const networkId = chain.network.id
  const moved = await findDue(worker, networkId, Prisma.sql`f.type <> 'CANCELLED'`)
  const applied = await applyEach(worker, moved)
  const waiting = await findDue(worker, networkId, Prisma.sql`f.type = 'CANCELLED'`)
  if (waiting.length === 0) return applied
  const finalTo = await readFinalEntered(worker, chain)
  if (finalTo === null) return applied
  await postponeUntilFinal(worker, networkId, finalTo)
  const final = await findDue(worker, networkId, Prisma.sql`f.type = 'CANCELLED' AND f.block_number <= ${finalTo}`)
  return applied + (await applyEach(worker, final))
}

/** The oldest fact of each voucher, if it is due. */
const findDue = (worker: SystemContext, networkId: number, which: Prisma.Sql): Promise<DueFact[]> =>
  worker.sql<DueFact>(Prisma.sql`
    SELECT ${Prisma.raw(FACT)}
    FROM voucher_facts f
    WHERE f.network_id = ${networkId} AND f.next_try_at <= ${worker.now().toISOString()}::timestamptz AND ${which}
      AND NOT EXISTS (SELECT 1 FROM voucher_facts o WHERE o.voucher_id = f.voucher_id AND o.id < f.id)
    ORDER BY f.id LIMIT ${BATCH}`)

const postponeUntilFinal = (worker: SystemContext, networkId: number, finalTo: bigint): Promise<unknown> =>
  worker.sql(Prisma.sql`
    UPDATE voucher_facts
    SET next_try_at = ${secondsFrom(worker.now(), FINALITY_CHECK_SECONDS).toISOString()}::timestamptz
    WHERE id IN (
      SELECT id FROM voucher_facts WHERE network_id = ${networkId} AND type = 'CANCELLED' AND block_number > ${finalTo}
        AND next_try_at <= ${worker.now().toISOString()}::timestamptz FOR UPDATE SKIP LOCKED)`)

async function applyEach(worker: SystemContext, facts: readonly DueFact[]): Promise<number> {
  let applied = 0
  for (let at = 0; at < facts.length; at += CONCURRENCY) {
    const outcomes = await Promise.all(facts.slice(at, at + CONCURRENCY).map((fact) => attempt(worker, fact)))
    applied += outcomes.filter(Boolean).length
  }
  return applied
}

async function attempt(worker: SystemContext, fact: DueFact): Promise<boolean> {
  try {
    return await apply(worker, fact)
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    log.error({ error, fact }, 'A voucher refused what the chain says of it; it is tried again.')
    await postpone(worker, fact, error)
    return false
  }
}

/** The fact's row is locked first and deleted with its effect: of several processes one applies it. */
const apply = (worker: SystemContext, fact: DueFact): Promise<boolean> =>
  inTransaction(worker, async (tx) => {
    const [taken] = await tx.sql(Prisma.sql`
      DELETE FROM voucher_facts
      WHERE id = (SELECT id FROM voucher_facts WHERE id = ${fact.id} FOR UPDATE SKIP LOCKED) RETURNING 1`)
    if (!taken) return false
    await within(tx, fact.organizationId, async (own) => {
      await APPLY[fact.type](own, { voucherId: fact.voucherId, txHash: fact.txHash })
      await rowSucceeded(own, KIND, fact.voucherId, fact.attempts)
    })
    crashPoint('fact_applied')
    return true
  })

const postpone = (worker: SystemContext, { id, organizationId, voucherId, attempts }: DueFact, error: unknown) =>
  inTransaction(worker, async (tx) => {
    const tries = attempts + 1
    const lastError = error instanceof Error ? error.message : String(error)
    const { count } = await tx.db.voucherFact.updateMany({
      where: { id, attempts },
      data: { attempts: tries, lastError, nextTryAt: secondsFrom(tx.now(), pauseSeconds(tries)) },
    })
    if (count > 0)
      await within(tx, organizationId, (own) => rowFailed(own, KIND, voucherId, { attempts: tries, lastError }))
  })
