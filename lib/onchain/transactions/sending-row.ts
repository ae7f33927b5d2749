import type { Prisma, TransactionState, TransactionType } from '../../../generated/prisma/client.ts'
import type { AnyContext } from '../../platform/auth/context.ts'
import { isMintedToken } from '../../stock/custody.ts'

/**
 * The fields of a transaction that sending and watching read; of its mint requests, those that are undecided or may be
 * undone.
 */
export const SENDING = {
  collection: {
    select: {
      id: true,
      tokenType: true,
      contractAddress: true,
      signer: true,
      implementation: true,
      cloneArgs: true,
      deploymentType: true,
      contractVersion: true,
      requestIdFloor: true,
    },
  },
  signed: { orderBy: { id: 'asc' } },
  mintRequests: {
    where: { state: { in: ['WAITING', 'SUBMITTED', 'COMPLETED'] } },
    orderBy: { id: 'asc' },
    include: { item: { select: { tokenId: true, minted: true } } },
  },
} as const satisfies Prisma.TransactionInclude

/** Whether a transaction of this type carries mint requests. */
export const carriesMints = (txType: TransactionType): boolean => txType === 'ADMIN_MINT' || txType === 'TRANSFER_TOKEN'

export type SendingRow = Prisma.TransactionGetPayload<{ include: typeof SENDING }>
export type SendingMint = SendingRow['mintRequests'][number]
export type SignedRow = SendingRow['signed'][number]

/** The requests that a transaction carries out, as its lines in the log name them. */
export const requestsOf = ({ id, requestId, mintRequests }: SendingRow) => ({
  transactionId: id,
  requestIds: [...new Set(mintRequests.length > 0 ? mintRequests.map((mint) => mint.requestId) : [requestId])],
})

/** The mints of tokens that the index has as minted, which don't leave. */
export const mintedBefore = ({ txType, collection, mintRequests }: SendingRow): SendingMint[] =>
  txType === 'ADMIN_MINT' ? mintRequests.filter(({ item }) => isMintedToken({ ...item, collection })) : []

/**
 * The fields of a transaction that isn't mined yet which watching reads: its mint requests, maybe a hundred, are read
 * only when needed.
 */
export const WATCHED = { signed: SENDING.signed } as const satisfies Prisma.TransactionInclude

export type WatchedRow = Prisma.TransactionGetPayload<{ include: typeof WATCHED }>

export const findSending = (ctx: AnyContext, id: string): Promise<SendingRow | null> =>
  ctx.db.transaction.findFirst({ where: { id }, include: SENDING })

/** Those of them that are in this state, by id. */
export async function findEachSending(
  ctx: AnyContext,
  ids: readonly string[],
  state: TransactionState,
): Promise<ReadonlyMap<string, SendingRow>> {
  const rows = await ctx.db.transaction.findMany({ where: { id: { in: [...ids] }, state }, include: SENDING })
  return new Map(rows.map((row) => [row.id, row]))
}

/** The bytes signed for its current nonce; those of an earlier nonce can't be mined any more. */
export const currentBytes = (row: WatchedRow): SignedRow[] =>
  row.signed.filter((signed) => signed.nonce === row.nonce && signed.operator === row.operator)
