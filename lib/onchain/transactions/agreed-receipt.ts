import { isAddressEqual, type Address, type Hex } from 'viem'
import { agreedAnswer, NotProved } from './agreed-answer.ts'
import type { Chain, ChainReads, Receipt } from '../../ports/chain/chain.ts'
import { currentBytes, type SendingRow, type SignedRow, type WatchedRow } from './sending-row.ts'

/** Which of a transaction's bytes were mined, and how. */
export type Mined = { signed: SignedRow; receipt: Receipt }

/** The receipt of whichever of our bytes was mined, newest first. */
export async function findMined(chain: ChainReads, row: WatchedRow): Promise<Mined | null> {
  const all = currentBytes(row).reverse()
  const receipts = await Promise.all(all.map((signed) => chain.receipt(signed.hash as Hex)))
  const at = receipts.findIndex(Boolean)
  return at < 0 ? null : { signed: all[at]!, receipt: receipts[at]! }
}

/**
 * The receipt of a transaction on which several nodes agree: one alone isn't believed where what follows can't be
 * undone. Throws NotProved where they disagree or too few answer: the transaction is tried again later, with an alarm
 * after some tries.
 */
export async function agreedReceipt(chain: Chain, row: SendingRow): Promise<Mined> {
  const contract = row.collection.contractAddress
  const mined = await agreedAnswer(
    chain,
    (node) => findMined(node, row),
    ({ receipt }) => receiptKey(receipt, contract),
  )
  if (!mined) throw new NotProved(`Nodes don’t agree about the receipt of ${row.txHash}.`)
  return mined
}

/**
 * The part of a receipt that two nodes must tell alike. Some leave out logs of the system, and prices of gas may be
 * rounded.
 */
export const receiptKey = ({ hash, status, blockHash, logs }: Receipt, contract: string | null): string =>
  JSON.stringify([
    hash,
    status,
    blockHash,
    logs
      .filter(({ address }) => contract !== null && isAddressEqual(address, contract as Address))
      .map(({ topics, data }) => [topics, data]),
  ])
