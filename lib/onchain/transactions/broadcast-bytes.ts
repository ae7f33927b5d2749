import type { Hex } from 'viem'
import { raiseAlarm, resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { within, type SystemContext } from '../../platform/auth/context.ts'
import { secondsFrom } from '../../core/clock.ts'
import { log } from '../../core/log.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { alarmOperatorLow } from './lane.ts'
import type { SignedRow } from './sending-row.ts'

export type Broadcast = Awaited<ReturnType<Chain['broadcast']>>

/** Bytes that a node has taken are broadcast again this often until they are mined, since nodes forget. */
const REBROADCAST_SECONDS = 5
/** Refused bytes are broadcast again after pauses that double, up to this. */
const LONGEST_PAUSE_SECONDS = 60
/** Refused this often in a row, an alarm is raised. */
const REFUSALS_TO_ALARM = 4

/** A node gets so many at once, in the order of their nonces. The next ones follow when it has answered. */
const MOST_TOGETHER = 100

/**
 * Broadcasts stored bytes; repeating it is always safe. A refusal decides nothing: it is counted, the bytes are
 * broadcast again later, and receipts say whether they were mined. Returns the answers by the ids of the bytes. When no
 * node answers, throws ChainUnavailable once the answers that came are recorded.
 */
export async function broadcastTogether(
  worker: SystemContext,
  chain: Chain,
  signed: readonly SignedRow[],
): Promise<ReadonlyMap<string, Broadcast>> {
  const answers = new Map<string, Broadcast>()
  for (let at = 0; at < signed.length; at += MOST_TOGETHER) {
    const some = signed.slice(at, at + MOST_TOGETHER)
    const settled = await Promise.allSettled(some.map(({ raw }) => chain.broadcast(raw as Hex)))
    for (const [index, one] of settled.entries())
      if (one.status === 'fulfilled') answers.set(some[index]!.id, one.value)
    const isTaken = ({ id }: SignedRow) => TAKEN.has(answers.get(id)?.outcome ?? '')
    await recordTaken(worker, some.filter(isTaken))
    for (const one of some)
      if (answers.has(one.id) && !isTaken(one)) await recordRefusal(worker, chain, one, answers.get(one.id)!)
    const failed = settled.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    if (failed) throw failed.reason
  }
  return answers
}

export const broadcastBytes = async (worker: SystemContext, chain: Chain, signed: SignedRow): Promise<Broadcast> =>
  (await broadcastTogether(worker, chain, [signed])).get(signed.id)!

/** A node has the bytes, or their nonce is used: receipts decide. */
const TAKEN: ReadonlySet<string> = new Set(['known', 'nonce_used'] satisfies Broadcast['outcome'][])

async function recordTaken(worker: SystemContext, taken: readonly SignedRow[]): Promise<void> {
  if (taken.length === 0) return
  await worker.db.signedTransaction.updateMany({
    where: { id: { in: taken.map(({ id }) => id) } },
    data: {
      broadcastAt: worker.now(),
      nextBroadcastAt: secondsFrom(worker.now(), REBROADCAST_SECONDS),
      refusedAt: null,
      refusals: 0,
    },
  })
  for (const { refusals, transactionId } of taken)
    if (refusals >= REFUSALS_TO_ALARM) await resolveAlarm(worker, 'broadcast_refused', transactionId)
}

async function recordRefusal(worker: SystemContext, chain: Chain, signed: SignedRow, answer: Broadcast): Promise<void> {
  if (answer.outcome === 'known') return
  const refusals = signed.refusals + 1
  const pause = Math.min(LONGEST_PAUSE_SECONDS, REBROADCAST_SECONDS * 2 ** signed.refusals)
  await worker.db.signedTransaction.updateMany({
    where: { id: signed.id },
    data: { nextBroadcastAt: secondsFrom(worker.now(), pause), refusedAt: signed.refusedAt ?? worker.now(), refusals },
  })
  if (answer.outcome === 'no_funds') await alarmOperatorLow(worker, chain.network.id, signed.operator)
  else log.warn({ transaction_id: signed.transactionId, ...answer }, 'Nodes refuse stored bytes.')
  if (refusals >= REFUSALS_TO_ALARM && answer.outcome !== 'no_funds')
    await within(worker, signed.organizationId, (ctx) =>
      raiseAlarm(
        ctx,
        'broadcast_refused',
        signed.transactionId,
        `No node of ${chain.network.name} takes the transaction ${signed.hash}: “${answer.detail}”. ` +
          'It is broadcast again and again, and nothing is given up.',
      ),
    )
}

/** Whether bytes that aren't mined are to be broadcast again. */
export const isDue = (worker: SystemContext, { nextBroadcastAt }: SignedRow): boolean =>
  nextBroadcastAt === null || nextBroadcastAt <= worker.now()
