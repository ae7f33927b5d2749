import type { Hex } from 'viem'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { findConsumedHolds } from '../../stock/find-consumed-holds.ts'
import { readIndexed } from '../indexer/read-indexed.ts'
import type { SendingMint, SendingRow } from '../transactions/sending-row.ts'
import { findOurSender } from './find-our-sender.ts'

/**
 * Who used the token id or the request number of a mint before it. ours: an earlier transaction of this very request,
 * another of our operators, or a voucher of ours, to the same recipient, so that the mint is delivered. foreign:
 * somebody else's, or one to another recipient. unknown: the chain hasn't said so in a final block yet, or the index
 * doesn't have it; nothing may be concluded.
 */
export type EarlierMint = { by: 'ours'; historyId: string; txHash: string } | { by: 'foreign' } | { by: 'unknown' }

/**
 * Looks for the mint that came before `mint`, in the blocks up to `finalTo`. Who owns the token now proves nothing,
 * since tokens move: only the log of its mint does, and the transaction that made it.
 */
export async function findEarlierMint(
  worker: SystemContext,
  chain: Chain,
  row: SendingRow,
  mint: SendingMint,
  finalTo: bigint,
): Promise<EarlierMint> {
  // Read before its history: what is entered of a branch that a reorg left proves nothing, also at heights that are
  // final by now.
  const indexed = await readIndexed(worker, chain)
  if (!indexed?.isOnChain) return { by: 'unknown' }
  const mints = await worker.db.itemHistory.findMany({
    where: { itemId: mint.itemId, type: 'MINT', blockNumber: { lte: finalTo } },
    orderBy: { id: 'asc' },
    select: { id: true, txHash: true, toAddress: true, quantity: true, holdId: true, voucherId: true },
  })
  const own = await findOwn(worker, mint, mints)
  if (own) return { by: 'ours', historyId: own.id, txHash: own.txHash }
  const unmatched = mints.filter(
    ({ toAddress, quantity, holdId, voucherId }) =>
      holdId === null &&
      voucherId === null &&
      toAddress === mint.toAddress &&
      BigInt(quantity.toFixed()) === mint.quantity,
  )
  for (const { id, txHash } of unmatched) {
    if (await isKnown(worker, row, txHash)) continue
    const sender = await findOurSender(worker, chain, row.collection, txHash as Hex)
    if (sender === 'unknown') return { by: 'unknown' }
    if (sender !== null) return { by: 'ours', historyId: id, txHash }
  }
  // A token of its own is minted once, so another's mint of it decides. A request number is ours alone: its mint must
  // be there.
  const isDecided = row.collection.tokenType === 'ERC721' && mints.length > 0
  return { by: isDecided ? 'foreign' : 'unknown' }
}

/**
 * The mint that consumed this request's own hold: the indexer matched it to an earlier transaction that carried the
 * request.
 */
async function findOwn<M extends { holdId: string | null }>(
  worker: SystemContext,
  { id }: SendingMint,
  mints: readonly M[],
): Promise<M | undefined> {
  const holds = await findConsumedHolds(worker, [id])
  return mints.find(({ holdId }) => holds.some((hold) => hold.id === holdId))
}

/** A transaction that is in our books carries other mint requests: what it minted is theirs. */
const isKnown = async (worker: SystemContext, { networkId }: SendingRow, hash: string): Promise<boolean> =>
  (await worker.db.signedTransaction.count({ where: { networkId, hash } })) > 0
