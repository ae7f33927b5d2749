import { type Hex, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { until } from './until.ts'

/**
 * The receipt of a transaction, once it is mined. viem's `waitForTransactionReceipt` asks again only when there is a
 * new block: it waits in vain where a node that mines on demand tells of the block before it has the receipt.
 */
export const receiptOf = (
  client: Pick<PublicClient, 'getTransactionReceipt'>,
  hash: Hex,
): Promise<TransactionReceipt> =>
  until(
    `The receipt of ${hash}`,
    () =>
      client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return null
        throw error
      }),
    20_000,
    5,
  )
