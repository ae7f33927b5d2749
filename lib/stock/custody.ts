import type { Address } from 'viem'
import { type Collection, type EscrowState, type Item, Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { AppError, fieldError } from '../core/errors.ts'

export type Custody = Pick<Item, 'custodian'>

/** The facts that tell whether an item's token was ever minted (`isMintedToken`). */
export type Mintable = Pick<Item, 'minted'> & { collection: Pick<Collection, 'tokenType'> }

/**
 * Whether the index has this token as minted: no mint and no voucher for it leaves any more, whatever its contract
 * says, since one that lost the range of its blobs would mint it again (docs/contracts.md). An ERC-1155 token may
 * always have more units.
 */
export const isMintedToken = ({ minted, collection }: Mintable): boolean =>
  collection.tokenType === 'ERC721' && minted > 0n

/** The states of an escrow in which it has a token in custody, or waits for it after a reorg. */
export const IN_ESCROW: readonly EscrowState[] = ['HELD', 'OFFERED', 'RETURNING', 'RETURN_REFUSED']

/**
 * The custodian of an item's token. A caller that holds units of the item has locked its row: the answer stays true
 * until the end of the transaction.
 */
export const getCustody = (tx: Context, itemId: string): Promise<Custody> =>
  tx.db.item.findFirstOrThrow({ where: { id: itemId }, select: { custodian: true } })

/**
 * The custodian of an item's token, and whether it was minted, for a caller that holds no units of the item. Its row is
 * locked until the transaction ends.
 */
export async function lockCustody(tx: Context, itemId: string): Promise<Custody & Mintable> {
  await tx.sql(Prisma.sql`SELECT 1 FROM items WHERE id = ${itemId}::uuid FOR SHARE`)
  return tx.db.item.findFirstOrThrow({
    where: { id: itemId },
    select: { custodian: true, minted: true, collection: { select: { tokenType: true } } },
  })
}

/** Throws for a token whose custodian's key isn't configured any more: nobody could send it. */
export function assertCustodianConfigured(ctx: Pick<Context, 'ports'>, item: Custody): void {
  if (!isCustodianConfigured(ctx, item))
    throw new AppError(
      'operator_gone',
      `This token is in the custody of the operator ${item.custodian}, whose key isn’t configured any more. ` +
        'Configure it again, or send the token to an operator that is.',
    )
}

/** Throws for a token whose custodian's key isn't configured any more, in words for the recipient or buyer. */
export function assertDeliverableNow(ctx: Pick<Context, 'ports'>, item: Custody): void {
  if (!isCustodianConfigured(ctx, item)) throw notDeliverableNow()
}

export const notDeliverableNow = () =>
  new AppError(
    'operator_gone',
    'This can’t be handed over just now: the sender has to mend something first. Nothing was used up; try again later.',
  )

/** Whether a token can be handed over: its custodian's key is configured, or it isn't in custody. */
export const isCustodianConfigured = (ctx: Pick<Context, 'ports'>, { custodian }: Custody): boolean =>
  custodian === null || ctx.ports.keys.operators.includes(custodian as Address)

/** Throws where a voucher is to mint a token that is minted already. */
export function assertVoucherPossible({ custodian }: Custody, field: string): void {
  if (custodian !== null) throw voucherImpossible(field)
}

export const voucherImpossible = (field: string) =>
  fieldError(
    'voucher_unsupported',
    field,
    'This item is minted already and is handed over by us, which no mint voucher can do: ' +
      'choose tx_payer SELLER, and another provider than MINT_VOUCHER.',
  )
