import type { Hex } from 'viem'
import { raiseAlarm, resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { within, type WorkerContext } from '../../platform/auth/context.ts'
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

/**
 * Broadcasts stored bytes; repeating it is always safe. A refusal decides nothing: it is counted, the bytes are broadcast again
 * later, and receipts say whether they were mined.
 */
export async function broadcastBytes(worker: WorkerContext, chain: Chain, signed: SignedRow): Promise<Broadcast> {
  const answer = await chain.broadcast(signed.raw as Hex)
  if (answer.outcome === 'known' || answer.outcome === 'nonce_used') {
    await worker.db.signedTransaction.updateMany({
      where: { id: signed.id },
      data: {
        broadcastAt: worker.now(),
        nextBroadcastAt: secondsFrom(worker.now(), REBROADCAST_SECONDS),
        refusedAt: null,
        refusals: 0,
      },
    })
    if (signed.refusals >= REFUSALS_TO_ALARM) await resolveAlarm(worker, 'broadcast_refused', signed.transactionId)
    return answer
  }
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
        `No node of ${chain.network.name} takes the transaction ${signed.hash}: “${answer.detail}”. It is broadcast again and again, and nothing is given up.`,
      ),
    )
  return answer
}

/** Whether bytes that aren't mined are to be broadcast again. */
export const isDue = (worker: WorkerContext, { nextBroadcastAt }: SignedRow): boolean =>
  nextBroadcastAt === null || nextBroadcastAt <= worker.now()
