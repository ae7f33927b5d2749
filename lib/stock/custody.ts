import type { Address } from 'viem'
import { type Item, Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { AppError, fieldError } from '../core/errors.ts'

export type Kept = Pick<Item, 'keptBy'>

/** Minted units that are with our operators. */
export const keptUnits = ({ keptBy }: Kept): bigint => (keptBy === null ? 0n : 1n)

/** What can still be promised of an item by its name, as the database counts it (givable_units). null: there is no limit. */
export function givableUnits(item: Kept & Pick<Item, 'maxSupply' | 'minted' | 'held'>): bigint | null {
  if (item.maxSupply === null) return null
  const left = item.maxSupply - item.minted + keptUnits(item) - item.held
  return left > 0n ? left : 0n
}

/** Which operator has an item's token in hand. Whoever holds its units in this transaction holds its row: the answer stays true until the end. */
export const keptOf = (tx: Context, itemId: string): Promise<Kept> =>
  tx.db.item.findFirstOrThrow({ where: { id: itemId }, select: { keptBy: true } })

/** The same where nothing is held in this transaction: the row stays as it is until the end. */
export async function lockKept(tx: Context, itemId: string): Promise<Kept> {
  await tx.sql(Prisma.sql`SELECT 1 FROM items WHERE id = ${itemId}::uuid FOR SHARE`)
  return keptOf(tx, itemId)
}

/** Refuses to promise a token that an operator keeps whose key was taken away: nobody could send it. */
export function mustReach(ctx: Pick<Context, 'ports'>, item: Kept): void {
  if (!isInReach(ctx, item))
    throw new AppError(
      'operator_gone',
      `This token is kept by the operator ${item.keptBy}, whose key isn’t configured any more. Configure it again, or send the token to an operator that is.`,
    )
}

/** The same, said to whoever was promised it, or wants to buy it. */
export function mustReachNow(ctx: Pick<Context, 'ports'>, item: Kept): void {
  if (!isInReach(ctx, item))
    throw new AppError(
      'operator_gone',
      'This can’t be handed over just now: the sender has to mend something first. Nothing was used up; try again later.',
    )
}

/** Whether a token that an operator keeps can be sent: its key is there. */
export const isInReach = (ctx: Pick<Context, 'ports'>, { keptBy }: Kept): boolean =>
  keptBy === null || ctx.ports.keys.operators.includes(keptBy as Address)

/** Refuses to let somebody mint by voucher what is minted already. */
export function mustBeUnminted({ keptBy }: Kept, field: string): void {
  if (keptBy !== null)
    throw fieldError(
      'voucher_unsupported',
      field,
      'This item is minted already and is handed over by us, which no mint voucher can do: choose tx_payer SELLER, and another provider than MINT_VOUCHER.',
    )
}
