import type { Hex } from 'viem'
import type { WorkerContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { alarmOperatorLow } from './lane.ts'
import type { SignedRow } from './sending-row.ts'

export type Broadcast = Awaited<ReturnType<Chain['broadcast']>>

/** Broadcasts stored bytes; repeating it is always safe. Receipts say whether they were mined. */
export async function broadcastBytes(worker: WorkerContext, chain: Chain, signed: SignedRow): Promise<Broadcast> {
  const answer = await chain.broadcast(signed.raw as Hex)
  if (answer.outcome === 'no_funds') await alarmOperatorLow(worker, chain.network.id, signed.operator)
  if (answer.outcome === 'known' || answer.outcome === 'nonce_used')
    await worker.db.signedTransaction.updateMany({ where: { id: signed.id }, data: { broadcastAt: worker.now() } })
  return answer
}
