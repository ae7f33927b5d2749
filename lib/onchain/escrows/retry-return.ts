import type { Output } from '../../platform/api/endpoint.ts'
import type { returnTransfer as endpoint } from '../../platform/api/transfers.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { TRANSFER_SHOWN, transferOf } from '../transfers/show-transfer.ts'
import { advanceEscrow } from './advance-escrow.ts'

export const retryReturn = (ctx: Context, id: string): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const escrow = await tx.db.escrow.findFirst({ where: { id }, select: { id: true, state: true, email: true } })
    if (!escrow) throw notFound()
    const isLost = escrow.state === 'HELD' && escrow.email === null
    if (escrow.state !== 'RETURN_REFUSED' && !isLost)
      throw new AppError(
        'conflict',
        'Only a token that its sender’s address refused, or whose mailbox was lost, is returned on request.',
      )
    await advanceEscrow(tx, escrow, 'RETURNING')
    await resolveAlarm(tx, 'mailbox_lost', id)
    return transferOf(tx, await tx.db.signedTransfer.findFirstOrThrow({ where: { id }, include: TRANSFER_SHOWN }))
  })
