import { type Collection, Prisma } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { type PassedHold, passHold } from '../../stock/advance-hold.ts'
import { type Holder, holdUnits } from '../../stock/hold-units.ts'
import { getCustody, assertCustodianConfigured } from '../../stock/custody.ts'
import { openTransaction } from '../../orders/open-transaction.ts'
import { spendGasBudget } from '../../orders/gas-budget.ts'
import { nextRequestNumber } from '../../orders/next-request-number.ts'
import { assertDeployed, assertLocked } from '../../catalog/items/assert-ready.ts'

export type NewMint = {
  collectionId: string
  itemId: string
  quantity: bigint
  /** EIP-55. The caller has checked that it can receive, or says that nobody was asked. */
  toAddress: string
  receiverUnasked?: boolean
  claimId?: string
  purchaseIntentId?: string
  /** The escrow whose token it is: what this costs was counted when the transfer was accepted. */
  escrowId?: string | null
  /** The units: taken from stock, or passed on by their holder. */
  hold: 'take' | PassedHold
}

/** The most mint requests on one transaction. */
export const MAX_MINTS_PER_TRANSACTION = 100

/**
 * Requests a unit of a locked item in a deployed collection for an address; the request holds its units. A mint joins
 * the waiting transaction of its collection, or opens one; a token in custody is handed over, in a transaction of its
 * own. The sender does the rest.
 */
export function requestMint(ctx: Context, order: NewMint): Promise<{ id: string; transactionId: string }> {
  return inTransaction(ctx, async (tx) => {
    const { collectionId, itemId, quantity, toAddress, claimId, purchaseIntentId, escrowId = null } = order
    const networkId = await mintingNetwork(tx, order)
    const id = newId()
    const holder: Holder = { type: 'MINT_REQUEST', id }
    if (order.hold === 'take') await holdUnits(tx, holder, { collectionId, itemId, quantity })
    else await passHold(tx, order.hold, holder, itemId)
    // The hold has locked the item: its custody can't change now.
    const item = await getCustody(tx, itemId)
    if (order.hold === 'take') assertCustodianConfigured(tx, item)
    // A token in escrow is handed over, never minted anew.
    if (escrowId !== null && item.custodian === null)
      throw new AppError('conflict', 'The token isn’t in custody any more.')
    // The collection's row is locked from here on: two requests can't open a transaction at once.
    const requestNumber = await nextRequestNumber(tx, collectionId)
    const gasWei = escrowId === null ? await spendGasBudget(tx, networkId) : 0n
    const transactionId =
      item.custodian === null
        ? ((await joinWaiting(tx, collectionId, gasWei)) ??
          (await openTransaction(tx, {
            collectionId,
            networkId,
            txType: 'ADMIN_MINT',
            payload: {},
            mints: { count: 1 },
            gasWei,
          })))
        : await openTransfer(tx, order, { from: item.custodian, networkId, gasWei })
    await tx.db.mintRequest.create({
      data: {
        id,
        organizationId: tx.organizationId,
        collectionId,
        itemId,
        transactionId,
        claimId: claimId ?? null,
        purchaseIntentId: purchaseIntentId ?? null,
        escrowId,
        toAddress,
        receiverUnasked: order.receiverUnasked ?? false,
        quantity,
        requestNumber,
        requestId: tx.requestId,
        createdAt: tx.now(),
      },
    })
    return { id, transactionId }
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

/** Throws `supply_invalid` for more than one unit of an ERC-721 item. */
export function assertOneOfAKind({ tokenType }: Pick<Collection, 'tokenType'>, quantity: bigint): void {
  if (tokenType === 'ERC721' && quantity !== 1n)
    throw new AppError('supply_invalid', 'An ERC-721 item is one of a kind: its quantity is 1.')
}

/** Joins the collection's waiting transaction; null when none has room or is still open. */
async function joinWaiting(tx: Context, collectionId: string, gasWei: bigint): Promise<string | null> {
  const open = Prisma.sql`tx_type = 'ADMIN_MINT' AND state = 'PENDING' AND closed_at IS NULL AND mint_count < ${MAX_MINTS_PER_TRANSACTION}`
  const [row] = await tx.sql<{ id: string }>(Prisma.sql`
    UPDATE transactions
    SET mint_count = mint_count + 1, gas_cost_wei = coalesce(gas_cost_wei, 0) + ${gasWei.toString()}::numeric, updated_at = ${tx.now()}
    WHERE id = (SELECT id FROM transactions WHERE collection_id = ${collectionId}::uuid AND ${open} ORDER BY id DESC LIMIT 1) AND ${open}
    RETURNING id`)
  return row?.id ?? null
}

/** Only the custodian can send it, so it never shares a transaction. */
function openTransfer(
  tx: Context,
  { collectionId, itemId, quantity, toAddress }: NewMint,
  { from, networkId, gasWei }: { from: string; networkId: number; gasWei: bigint },
): Promise<string> {
  const payload = { item_id: itemId, from, to: toAddress, quantity: quantity.toString() }
  return openTransaction(tx, {
    collectionId,
    networkId,
    txType: 'TRANSFER_TOKEN',
    payload,
    mints: { count: 1 },
    gasWei,
  })
}
