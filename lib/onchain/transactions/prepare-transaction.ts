import { getAddress, parseTransaction, zeroAddress, type Address, type Hex } from 'viem'
import type { TransactionType } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Network } from '../../ports/chain/chain.ts'
import {
  cloneAddress,
  encodeAdminMint1155,
  encodeAdminMint721,
  encodeAdminMintConsecutive,
  encodeCreate,
  encodeRefreshMetadata,
  encodeSetBaseUri,
  encodeSetDefaultRoyalty,
  encodeSetMaxSupply,
  encodeSetRoles,
  encodeSetTokenRoyalty,
  encodeTransfer1155,
  encodeTransfer721,
  saltOf,
} from '../../core/contracts/calls.ts'
import { carryOutTogether } from '../../core/group-commit.ts'
import { encodeCancelVoucher, type MintVoucher } from '../../core/contracts/vouchers.ts'
import { payloadOf } from '../../orders/payload.ts'
import { callOf } from '../transfers/order-of.ts'

const MOST_TOGETHER = 100
const MOST_WAITING = 10_000

export type PreparedCall = { to: Address; data: Hex }

/** A call that can't be built; its message is shown to people. */
export class CannotPrepare extends Error {
  override readonly name = 'CannotPrepare'
}

export type PreparableMint = {
  toAddress: string
  quantity: bigint
  requestNumber: bigint
  item: { tokenId: string | null }
}
export type Preparable = {
  txType: TransactionType
  payload: unknown
  collection: {
    id: string
    tokenType: 'ERC721' | 'ERC1155' | null
    contractAddress: string | null
    implementation: string | null
    cloneArgs: string | null
  }
}

/** The call that a transaction makes, from its payload. `operator` is the account that will send it. */
export async function prepareTransaction(
  ctx: SystemContext,
  network: Network,
  operator: Address,
  row: Preparable,
  mints: readonly PreparableMint[],
): Promise<PreparedCall> {
  if (row.txType === 'DEPLOY_TOKEN_CONTRACT') return prepareDeployment(network, row)
  if (row.txType === 'CANCEL') return { to: operator, data: '0x' }
  const to = contractOf(row)
  if (row.txType === 'ADMIN_MINT') return { to, data: prepareMints(row, mints) }
  return { to, data: await prepareSetting(ctx, row) }
}

/** The call of an ordinary batch. */
export const prepareMinting = (row: Preparable, mints: readonly PreparableMint[]): PreparedCall => ({
  to: contractOf(row),
  data: prepareMints(row, mints),
})

/** The call that mints a consecutive batch, sorted by token id, as one owner blob. */
export const prepareConsecutiveBatch = (row: Preparable, mints: readonly PreparableMint[]): PreparedCall => ({
  to: contractOf(row),
  data: encodeAdminMintConsecutive(
    BigInt(mints[0]!.item.tokenId!),
    mints.map(({ toAddress }) => toAddress as Address),
  ),
})

const CONSECUTIVE_SELECTOR = encodeAdminMintConsecutive(0n, [zeroAddress]).slice(0, 10)

/** Whether these bytes mint a consecutive batch, which succeeds or reverts as a whole. */
export const isConsecutiveBatch = (raw: Hex): boolean =>
  parseTransaction(raw).data?.startsWith(CONSECUTIVE_SELECTOR) ?? false

function contractOf({ collection }: Preparable): Address {
  if (!collection.contractAddress) throw new CannotPrepare('The collection has no contract.')
  return getAddress(collection.contractAddress)
}

function prepareDeployment({ contracts }: Network, { collection }: Preparable): PreparedCall {
  const { id, implementation, cloneArgs, contractAddress } = collection
  if (!contracts || !implementation || !cloneArgs || !contractAddress)
    throw new CannotPrepare('There are no contracts of ours on this network to clone.')
  const clone = { implementation: getAddress(implementation), salt: saltOf(id), args: cloneArgs as Hex }
  if (cloneAddress({ factory: contracts.factory, ...clone }) !== getAddress(contractAddress))
    throw new CannotPrepare(
      'The factory of this network has changed since the deployment was requested. Request it again.',
    )
  return { to: contracts.factory, data: encodeCreate(clone) }
}

function prepareMints({ collection }: Preparable, mints: readonly PreparableMint[]): Hex {
  const entries = mints.map(({ toAddress, quantity, requestNumber, item }) => ({
    to: toAddress as Address,
    tokenId: BigInt(item.tokenId ?? 0),
    amount: quantity,
    requestId: requestNumber,
  }))
  return collection.tokenType === 'ERC1155' ? encodeAdminMint1155(entries) : encodeAdminMint721(entries)
}

/** Finds rows by their ids. Those that are asked for at the same time are read by one statement. */
const findTogether =
  <Row extends { id: string }>(what: string, find: (ctx: SystemContext, ids: string[]) => Promise<Row[]>) =>
  (ctx: SystemContext, id: string): Promise<Row | undefined> =>
    carryOutTogether<{ ctx: SystemContext; id: string }, Row | undefined>(
      {
        key: what,
        most: MOST_TOGETHER,
        waiting: MOST_WAITING,
        isShared: () => true,
        work: async (asked) => {
          const rows = await find(
            asked[0]!.ctx,
            asked.map((each) => each.id),
          )
          const byId = new Map(rows.map((row) => [row.id, row]))
          return asked.map((each) => byId.get(each.id))
        },
      },
      { ctx, id },
    )

const findTransfer = findTogether('transfers to send', (ctx, ids) =>
  ctx.db.signedTransfer.findMany({ where: { id: { in: ids } } }),
)
const findVoucher = findTogether('vouchers to cancel', (ctx, ids) =>
  ctx.db.voucher.findMany({ where: { id: { in: ids } } }),
)

type Setting = Exclude<TransactionType, 'DEPLOY_TOKEN_CONTRACT' | 'ADMIN_MINT' | 'CANCEL'>

async function prepareSetting(ctx: SystemContext, row: Preparable): Promise<Hex> {
  const txType = row.txType as Setting
  switch (txType) {
    case 'SET_ROYALTY': {
      const { token_id, receiver, amount_bps } = payloadOf(txType, row.payload)
      return token_id === null
        ? encodeSetDefaultRoyalty(receiver as Address, amount_bps)
        : encodeSetTokenRoyalty(BigInt(token_id), receiver as Address, amount_bps)
    }
    case 'SET_BASE_URI':
      return encodeSetBaseUri(payloadOf(txType, row.payload).base_uri)
    case 'UPDATE_METADATA': {
      const { from_token_id, to_token_id } = payloadOf(txType, row.payload)
      return encodeRefreshMetadata(BigInt(from_token_id), BigInt(to_token_id))
    }
    case 'SET_MAX_SUPPLY':
      return encodeSetMaxSupply(BigInt(payloadOf(txType, row.payload).max_supply))
    case 'SET_ROLES': {
      const { account, roles } = payloadOf(txType, row.payload)
      return encodeSetRoles(account as Address, BigInt(roles))
    }
    case 'TRANSFER_TOKEN': {
      const { item_id, from, to, quantity } = payloadOf(txType, row.payload)
      const item = await ctx.db.item.findFirst({
        where: { id: item_id, collectionId: row.collection.id },
        select: { tokenId: true },
      })
      if (!item?.tokenId) throw new CannotPrepare('The item to transfer has no token.')
      const tokenId = BigInt(item.tokenId)
      return row.collection.tokenType === 'ERC1155'
        ? encodeTransfer1155(from as Address, to as Address, tokenId, BigInt(quantity))
        : encodeTransfer721(from as Address, to as Address, tokenId)
    }
    case 'SIGNED_TRANSFER': {
      const { transfer_id: id } = payloadOf(txType, row.payload)
      const transfer = await findTransfer(ctx, id)
      if (transfer?.collectionId !== row.collection.id) throw new CannotPrepare('The transfer to send is gone.')
      return callOf(transfer, row.collection.tokenType!)
    }
    case 'CANCEL_VOUCHER': {
      const { voucher_id } = payloadOf(txType, row.payload)
      const voucher = await findVoucher(ctx, voucher_id)
      if (voucher?.collectionId !== row.collection.id) throw new CannotPrepare('The voucher to cancel is gone.')
      const terms: MintVoucher = {
        minter: voucher.minter as Address,
        netRecipient: voucher.netRecipient as Address,
        initialRecipient: voucher.initialRecipient as Address,
        initialRecipientAmount: BigInt(voucher.initialRecipientAmount.toFixed()),
        quantity: voucher.quantity,
        nonce: voucher.nonce,
        expiry: voucher.expiry,
        price: BigInt(voucher.price.toFixed()),
        tokenId: BigInt(voucher.tokenId),
        currency: voucher.currency as Address,
      }
      return encodeCancelVoucher(terms, voucher.signature as Hex)
    }
  }
}
