import type { TransactionState, TransactionType } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { failDeployment } from '../../catalog/collections/advance-deployment.ts'
import { advanceMint, type Mint } from '../mints/advance-mint.ts'
import { failTransfer } from '../transfers/advance-transfer.ts'
import { advanceTransaction, type TransactionChange } from './advance-transaction.ts'

export type Abandoned = {
  id: string
  state: TransactionState
  txType: TransactionType
  collectionId: string
  mintRequests: readonly Mint[]
}

/** Ends a transaction that will have no effect any more, and what depends on it. */
export async function abandonTransaction(
  tx: Context,
  row: Abandoned,
  to: 'FAILED' | 'CANCELLED',
  reason: string,
  change: TransactionChange = {},
): Promise<void> {
  await advanceTransaction(tx, row, to, {
    completedAt: tx.now(),
    failure: to === 'FAILED' ? reason : null,
    // Nothing of it was mined, so that the gas budget counts nothing.
    ...(row.state === 'PENDING' && { gasCostWei: null }),
    ...change,
  })
  await abandonPromises(tx, row, to, reason)
}

/** Ends the mint requests, the deployment or the signed transfer that depend on it. */
export async function abandonPromises(
  tx: Context,
  row: Abandoned,
  to: 'FAILED' | 'CANCELLED',
  reason: string,
): Promise<void> {
  for (const mint of row.mintRequests)
    if (mint.state !== 'COMPLETED') await advanceMint(tx, mint, to, { failure: reason })
  if (row.txType === 'DEPLOY_TOKEN_CONTRACT') await failDeployment(tx, row.collectionId, reason)
  await failTransfer(tx, row, 'reverted', reason)
}
