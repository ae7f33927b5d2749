import { Prisma } from '../../../generated/prisma/client.ts'
import { type SystemContext, withinTransaction } from '../../platform/auth/context.ts'
import { type DueRow, findReady, sweepAny } from '../../platform/jobs/sweep.ts'
import { type Chain, ChainUnavailable } from '../../ports/chain/chain.ts'
import { RECOVERING } from '../../orders/recovering.ts'
import { abandonTransaction } from '../transactions/abandon-transaction.ts'
import { readFinalEntered } from '../indexer/read-indexed.ts'
import { advanceTransfer, failTransfer } from './advance-transfer.ts'
import { findDelivery, isNonceUsedAnywhere } from './find-delivery.ts'
import { CARRIED } from './order-of.ts'
import { EXPIRED, NONCE_USED } from './transfer-failures.ts'

const BATCH = 100
const TASK = { kind: 'expire transfers', failure: 'An expired transfer could not be ended.' } as const

/**
 * Ends signed transfers that still wait when their deadline has passed: nothing is signed for them, and the contract
 * takes them no more. The chain's own time decides, in a final block up to which every log is entered, and the contract
 * says that nobody else sent them. All wait while no node answers, or the books are behind the chain. Returns how many
 * ended.
 */
export async function expireTransfers(worker: SystemContext, chain: Chain): Promise<number> {
  const networkId = chain.network.id
  const isAnyDue = await worker.sql(
    Prisma.sql`SELECT 1 FROM signed_transfers
      WHERE network_id = ${networkId} AND state = 'PENDING' AND deadline < ${secondsOf(worker.now())} LIMIT 1`,
  )
  if (isAnyDue.length === 0) return 0
  const judgedTo = await readFinalEntered(worker, chain)
  const block = judgedTo === null || judgedTo < 0n ? null : await chain.block(judgedTo)
  if (judgedTo === null || !block) return 0
  const due = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<DueRow>(Prisma.sql`
      SELECT s.id::text, s.organization_id::text AS "organizationId"
      FROM signed_transfers s JOIN collections c ON c.id = s.collection_id
      WHERE s.network_id = ${networkId} AND s.state = 'PENDING' AND s.deadline < ${secondsOf(block.timestamp)}
        AND c.following AND NOT ${Prisma.raw(RECOVERING)}
      ORDER BY s.deadline, s.id LIMIT ${take} OFFSET ${skip}`),
  )
  return sweepAny(worker, TASK, due, (row) => endTransfer(worker, chain, row, judgedTo), {
    ignore: (error) => error instanceof ChainUnavailable,
  })
}

const secondsOf = (time: Date): bigint => BigInt(Math.floor(time.getTime() / 1000))

/** false: it waits for what used its nonce. */
async function endTransfer(worker: SystemContext, chain: Chain, { id, organizationId }: DueRow, finalTo: bigint) {
  const transfer = await worker.db.signedTransfer.findFirstOrThrow({ where: { id }, include: CARRIED })
  const delivery = (await isNonceUsedAnywhere(chain, transfer))
    ? await findDelivery(worker, chain, transfer, finalTo)
    : null
  if (delivery?.is === 'unknown') return false
  return withinTransaction(worker, organizationId, async (tx) => {
    await tx.sql(Prisma.sql`SELECT 1 FROM transactions WHERE id = ${transfer.transactionId}::uuid FOR UPDATE`)
    const row = await tx.db.transaction.findFirst({ where: { id: transfer.transactionId, state: 'PENDING' } })
    if (!row) return false
    const carrier = { ...row, mintRequests: [] }
    if (delivery?.is === 'delivered') {
      await advanceTransfer(tx, row, 'COMPLETED', { txHash: delivery.txHash })
      await abandonTransaction(tx, carrier, 'CANCELLED', 'Another transaction delivered it.')
      return true
    }
    const message = delivery ? NONCE_USED : EXPIRED
    await failTransfer(tx, row, delivery ? 'nonce_used' : 'expired', message)
    await abandonTransaction(tx, carrier, 'FAILED', message)
    return true
  })
}
