import { zeroAddress } from 'viem'
import type { Collection, Item } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { operatorMayMint } from '../../orders/operator-may-mint.ts'
import { AppError } from '../../core/errors.ts'
import { spendGasBudget } from '../../orders/gas-budget.ts'
import { openTransaction } from '../../orders/open-transaction.ts'

/** The error for a foreign contract on which we can't set royalties. */
export const royaltyUnsupported = () =>
  new AppError('royalty_unsupported', 'This collection’s contract does not let us set royalties.')

type Royalty = Pick<Item, 'tokenId' | 'royaltyReceiver' | 'royaltyBps'>

/**
 * Opens transactions that set these tokens' royalties on the contract (a null receiver restores the collection's). Does
 * nothing before deployment.
 */
export async function sendRoyalties(tx: Context, collection: Collection, tokens: readonly Royalty[]): Promise<void> {
  if (collection.deploymentStatus !== 'SUCCESS' || collection.networkId === null || !operatorMayMint(collection)) return
  for (const { tokenId, royaltyReceiver, royaltyBps } of tokens) {
    const gasWei = await spendGasBudget(tx, collection.networkId)
    await openTransaction(tx, {
      collectionId: collection.id,
      networkId: collection.networkId,
      txType: 'SET_ROYALTY',
      payload: {
        token_id: tokenId,
        receiver: royaltyReceiver ?? zeroAddress,
        amount_bps: royaltyReceiver === null ? 0 : (royaltyBps ?? 0),
      },
      gasWei,
    })
  }
}
