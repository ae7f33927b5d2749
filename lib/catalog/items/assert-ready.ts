import type { Collection, Item } from '../../../generated/prisma/client.ts'
import { AppError } from '../../core/errors.ts'

/** The purpose for which a caller needs items; it completes the messages. */
type Use = 'listed' | 'minted' | 'sent'

export const lockFirst = (use: Use): string => `Lock the item first: only locked items can be ${use}.`
export const deployFirst = (use: Use): string =>
  `Deploy the collection first: its items can be ${use} once its contract is on the chain.`

/** Throws `item_not_locked` unless the item is locked: before that it has no token id and no supply. */
export function assertLocked({ lockedAt }: Pick<Item, 'lockedAt'>, use: Use): void {
  if (!lockedAt) throw new AppError('item_not_locked', lockFirst(use))
}

type Deployment = Pick<Collection, 'deploymentStatus' | 'networkId'>

/** Throws `collection_not_deployed` unless the collection's contract is on the chain. */
export function assertDeployed<T extends Deployment>(
  collection: T,
  use: Use,
): asserts collection is T & { networkId: number } {
  if (collection.deploymentStatus !== 'SUCCESS' || collection.networkId === null)
    throw new AppError('collection_not_deployed', deployFirst(use))
}
