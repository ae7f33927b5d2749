import type { Prisma, TransactionType } from '../../../generated/prisma/client.ts'
import type { AnyContext } from '../../platform/auth/context.ts'

/** Everything sending and watching need of a transaction; of its mints, those that are still to be decided or may step back. */
export const SENDING = {
  collection: {
    select: {
      id: true,
      tokenType: true,
      contractAddress: true,
      implementation: true,
      cloneArgs: true,
      deploymentType: true,
      contractVersion: true,
    },
  },
  signed: { orderBy: { id: 'asc' } },
  mintRequests: {
    where: { state: { in: ['WAITING', 'SUBMITTED', 'COMPLETED'] } },
    orderBy: { id: 'asc' },
    include: { item: { select: { tokenId: true } } },
  },
} as const satisfies Prisma.TransactionInclude

/** Whether orders of ours ride on such a transaction, which are done when it is. */
export const carriesMints = (txType: TransactionType): boolean => txType === 'ADMIN_MINT' || txType === 'TRANSFER_TOKEN'

export type SendingRow = Prisma.TransactionGetPayload<{ include: typeof SENDING }>
export type SendingMint = SendingRow['mintRequests'][number]
export type SignedRow = SendingRow['signed'][number]

/** What looking after a sent transaction needs while it isn't mined: its mints, a hundred maybe, are read once they matter. */
export const WATCHED = { signed: SENDING.signed } as const satisfies Prisma.TransactionInclude

export type WatchedRow = Prisma.TransactionGetPayload<{ include: typeof WATCHED }>

export const findSending = (ctx: AnyContext, id: string): Promise<SendingRow | null> =>
  ctx.db.transaction.findFirst({ where: { id }, include: SENDING })

/** The bytes signed for the nonce it has now; those of a nonce it lost can't be mined any more. */
export const currentBytes = (row: WatchedRow): SignedRow[] =>
  row.signed.filter((signed) => signed.nonce === row.nonce && signed.operator === row.operator)
