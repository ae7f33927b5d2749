import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { advanceHolds } from '../../stock/advance-hold.ts'
import type { Fulfilment } from './match-mints-to-promises.ts'

/** Consumes the holds of the promises that were kept, and stores with each move what it consumed and redeemed. */
export async function consumeHolds(tx: SystemContext, fulfilments: readonly Fulfilment[]): Promise<void> {
  if (fulfilments.length === 0) return
  const ids = fulfilments.flatMap(({ promise }) => promise.holdId ?? [])
  await advanceHolds(tx, ids, 'EXCEPTION', 'CONSUMED')
  await advanceHolds(tx, ids, 'HELD', 'CONSUMED')
  await tx.sql(Prisma.sql`
    UPDATE item_history h SET hold_id = f.hold_id, voucher_id = f.voucher_id
    FROM unnest(
      ${fulfilments.map(({ arrival }) => arrival.id)}::uuid[],
      ${fulfilments.map(({ promise }) => promise.holdId)}::uuid[],
      ${fulfilments.map(({ promise }) => (promise.type === 'VOUCHER' ? promise.id : null))}::uuid[]
    ) AS f(id, hold_id, voucher_id)
    WHERE h.id = f.id`)
}
