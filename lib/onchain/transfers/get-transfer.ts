import type { Context } from '../../platform/auth/context.ts'
import { transferContext } from '../../platform/auth/authenticate.ts'
import { TRANSFER_SHOWN, transferOf } from './show-transfer.ts'

/** A transfer, for whoever has its id: what it says is public on the chain. */
export async function getTransfer(anyone: Context, id: string) {
  const ctx = await transferContext(anyone, id)
  return transferOf(ctx, await ctx.db.signedTransfer.findFirstOrThrow({ where: { id }, include: TRANSFER_SHOWN }))
}
