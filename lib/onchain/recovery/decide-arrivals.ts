import { type Address, type Hex, isAddressEqual } from 'viem'
import { type ItemHistory, Prisma } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction, within, type SystemContext } from '../../platform/auth/context.ts'
import { findReady } from '../../platform/jobs/sweep.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { decodeTransferWithSignature } from '../../core/contracts/signed-transfers.ts'
import { crashPoint } from '../../core/crash.ts'
import { newId } from '../../core/id.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { asChainFact, returnHolds, releaseHolds } from '../../stock/advance-hold.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { lockItemRows } from '../../stock/lock-item-rows.ts'
import { reconcileHolds } from '../indexer/reconcile-holds.ts'
import { readFinalEntered } from '../indexer/read-indexed.ts'
import { operatorsOn } from '../indexer/update-custody.ts'
import { readSent } from '../mints/find-our-sender.ts'
import { sweepOnChain } from '../transactions/sweep-on-chain.ts'
import { recordLostTransaction } from './record-lost-transaction.ts'

const BATCH = 100
const TASK = { kind: 'decide arrival', failure: 'It can’t be told who sent a token to our operator.' } as const

const UNDECIDED = { holderType: 'ARRIVAL', state: { in: ['HELD', 'EXCEPTION'] } } satisfies Prisma.HoldWhereInput

const ARRIVAL = columns('m', 'ItemHistory', ['id', 'organizationId', 'itemId'])
type Row = RowOf<typeof ARRIVAL> & { itemId: string }
type Sent = NonNullable<ReturnType<typeof decodeTransferWithSignature>>

/**
 * Looks who sent the tokens that are held since they came to our operators by something that the books don't know. What
 * we sent was for a mailbox that was lost with newer rows of the database: it is in escrow, until a person says where
 * it goes. Any other is in custody as ever.
 */
export async function decideArrivals(worker: SystemContext, chain: Chain): Promise<void> {
  if ((await worker.db.hold.count({ where: UNDECIDED })) === 0) return
  const finalTo = await readFinalEntered(worker, chain)
  if (finalTo === null) return
  const rows = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<Row>(Prisma.sql`
      SELECT ${Prisma.raw(ARRIVAL)}
      FROM holds h JOIN item_history m ON m.id = h.holder_id
      WHERE h.holder_type = 'ARRIVAL' AND h.state IN ('HELD', 'EXCEPTION') AND m.network_id = ${chain.network.id}
        AND m.block_number <= ${finalTo}
      ORDER BY m.id LIMIT ${take} OFFSET ${skip}`),
  )
  await sweepOnChain(worker, TASK, rows, (row) => decide(worker, chain, row))
}

async function decide(worker: SystemContext, chain: Chain, { id, organizationId, itemId }: Row): Promise<void> {
  const move = await worker.db.itemHistory.findFirstOrThrow({ where: { id } })
  const sent = await findOurTransfer(worker, chain, move)
  await inTransaction(worker, async (tx) => {
    await lockItemRows(tx, [itemId])
    if ((await tx.db.hold.count({ where: { ...UNDECIDED, holderId: id } })) === 0) return
    await within(tx, organizationId, (own) =>
      sent ? holdInLostEscrow(own, move, sent) : releaseHolds(own, { type: 'ARRIVAL', id }),
    )
    // Units that were promised of the token before it left may be held again.
    if (!sent) await asChainFact(tx, () => reconcileHolds(tx, [itemId], { restore: true }))
  })
  crashPoint('arrival_decided')
}

/**
 * The signed transfer in the transaction of a move, where one of our operators sent it. Throws where no node tells the
 * transaction truly.
 */
async function findOurTransfer(worker: SystemContext, chain: Chain, move: ItemHistory): Promise<Sent | null> {
  const { contractAddress } = await worker.db.collection.findFirstOrThrow({
    where: { id: move.collectionId },
    select: { contractAddress: true },
  })
  const transaction = await readSent(chain, move.txHash as Hex)
  if (!transaction) throw new Error(`No node knows the transaction ${move.txHash}, whose logs are entered.`)
  const { from, to, input } = transaction
  const operators = await operatorsOn(worker, chain.network.id)
  if (!to || !isAddressEqual(to, contractAddress as Address) || !operators.has(from)) return null
  const sent = decodeTransferWithSignature('ERC721', input)
  return sent?.transfer.from === move.fromAddress && String(sent.transfer.tokenId) === move.tokenId ? sent : null
}

/** Writes the transfer and its escrow, as far as the chain tells of them: for whom it was is unknown. */
async function holdInLostEscrow(own: Context, move: ItemHistory, { transfer, signature }: Sent): Promise<void> {
  const { organizationId, collectionId, networkId, tokenId, txHash, fromAddress, toAddress } = move
  const itemId = move.itemId!
  const id = newId()
  const place = { id, organizationId, collectionId, itemId, networkId, fromAddress, createdAt: own.now() }
  const transactionId = await recordLostTransaction(
    own,
    { collectionId, networkId, txType: 'SIGNED_TRANSFER', payload: { transfer_id: id }, isClosed: true },
    move,
  )
  await own.db.signedTransfer.create({
    data: {
      ...place,
      transactionId,
      tokenId,
      quantity: 1n,
      toAddress,
      nonce: transfer.nonce.toString(),
      deadline: transfer.deadline,
      signature,
      sinceBlock: move.blockNumber,
      state: 'COMPLETED',
      txHash,
      completedAt: own.now(),
    },
  })
  await own.db.escrow.create({ data: { ...place, operator: toAddress, email: null, gasWei: '0', state: 'HELD' } })
  await returnHolds(own, { type: 'ARRIVAL', id: move.id }, { type: 'ESCROW', id })
  await raiseAlarm(
    own,
    'mailbox_lost',
    id,
    `The token ${tokenId} was sent by its holder ${fromAddress} in ${txHash}, ` +
      'to a mailbox that was lost when a backup was put back. It is held. Ask the sender, ' +
      `whose wallet page remembers it, for whom it was, then npm run restore -- --mailbox ${id} --email <mailbox>; ` +
      `or return it: POST /v1/transfers/${id}/return, or the page of the transaction ${transactionId}.`,
  )
}
