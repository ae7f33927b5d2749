import type { Collection } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { type PassedHold, passHold } from '../../stock/advance-hold.ts'
import { type Holder, holdUnits } from '../../stock/hold-units.ts'
import { getCustody, assertCustodianConfigured } from '../../stock/custody.ts'
import { assertDeployed, assertLocked } from '../../catalog/items/assert-ready.ts'
import { requestHeldMints } from './request-together.ts'

export type NewMint = {
  collectionId: string
  itemId: string
  quantity: bigint
  /** EIP-55. The caller has checked that it can receive, or says that nobody was asked. */
  toAddress: string
  receiverUnasked?: boolean
  claimId?: string
  purchaseIntentId?: string
  escrowId?: string | null
  /** The units: taken from stock, or passed on by their holder. */
  hold: 'take' | PassedHold
}

/**
 * Requests a unit of a locked item in a deployed collection for an address; the request holds its units. The sender
 * does the rest.
 */
export function requestMint(ctx: Context, order: NewMint): Promise<{ id: string }> {
  return inTransaction(ctx, async (tx) => {
    const { hold, ...mint } = order
    const { collectionId, itemId, quantity } = mint
    const networkId = await mintingNetwork(tx, order)
    const id = newId()
    const holder: Holder = { type: 'MINT_REQUEST', id }
    if (hold === 'take') await holdUnits(tx, holder, { collectionId, itemId, quantity })
    else await passHold(tx, hold, holder, itemId)
    // The hold has locked the item: its custody can't change now.
    const item = await getCustody(tx, itemId)
    if (hold === 'take') assertCustodianConfigured(tx, item)
    if (mint.escrowId && item.custodian === null) throw notInCustody()
    await requestHeldMints(tx, { collectionId, networkId }, [{ ...mint, ...item, id, requestId: tx.requestId }])
    return { id }
  })
}

async function mintingNetwork(tx: Context, { collectionId, itemId, quantity }: NewMint): Promise<number> {
  const item = await tx.db.item.findFirst({
    where: { id: itemId, collectionId },
    select: { lockedAt: true, collection: { select: { deploymentStatus: true, networkId: true, tokenType: true } } },
  })
  if (!item) throw notFound()
  const { collection } = item
  assertLocked(item, 'minted')
  assertDeployed(collection, 'minted')
  assertOneOfAKind(collection, quantity)
  return collection.networkId
}

/** A token in escrow is handed over, never minted anew. */
export const notInCustody = () => new AppError('conflict', 'The token isn’t in custody any more.')

/** Throws `supply_invalid` for more than one unit of an ERC-721 item. */
export function assertOneOfAKind({ tokenType }: Pick<Collection, 'tokenType'>, quantity: bigint): void {
  if (tokenType === 'ERC721' && quantity !== 1n)
    throw new AppError('supply_invalid', 'An ERC-721 item is one of a kind: its quantity is 1.')
}
