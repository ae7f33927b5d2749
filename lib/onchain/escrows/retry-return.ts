import type { Output } from '../../platform/api/endpoint.ts'
import type { returnTransfer as endpoint } from '../../platform/api/transfers.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { TRANSFER_SHOWN, transferOf } from '../transfers/show-transfer.ts'
import { advanceEscrow } from './advance-escrow.ts'

/** Tries once more to return a token that its sender's address refused. Throws `conflict` for any other. */
export const retryReturn = (ctx: Context, id: string): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const escrow = await tx.db.escrow.findFirst({ where: { id }, select: { id: true, state: true } })
    if (!escrow) throw notFound()
    if (escrow.state !== 'RETURN_REFUSED')
      throw new AppError('conflict', 'Only a token that its sender’s address refused is returned once more.')
    await advanceEscrow(tx, escrow, 'RETURNING')
    return transferOf(tx, await tx.db.signedTransfer.findFirstOrThrow({ where: { id }, include: TRANSFER_SHOWN }))
  })
