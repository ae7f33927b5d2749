import {
  type Address,
  type Hex,
  isAddress,
  isHex,
  keccak256,
  numberToHex,
  parseTransaction,
  type TransactionSerialized,
} from 'viem'
import type { Collection } from '../../../generated/prisma/client.ts'
import type { RelayMethod } from '../../platform/api/history.ts'
import { asDeployed } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Chain, RpcResponse } from '../../ports/chain/chain.ts'
import { decodeTransferWithSignature } from '../../core/contracts/signed-transfers.ts'
import { decodeMintWithVoucher } from '../../core/contracts/vouchers.ts'
import { AppError, fieldError, notFound } from '../../core/errors.ts'

type RelayRequest = { jsonrpc: '2.0'; id: string | number | null; method: RelayMethod; params: unknown[] }
type RelayResponse = { jsonrpc: '2.0'; id: string | number | null } & Partial<{
  result: unknown
  error: { code: number; message: string; data?: unknown }
}>

/**
 * JSON-RPC for a wallet in the page that pays its own mint or transfer. Allows the reads that sending needs, and sends
 * only voucher mints and signed transfers to collections deployed here. Throws `voucher_refused` for any other
 * transaction, `invalid_request` for wrong parameters.
 */
export async function relay(
  ctx: Context,
  networkId: number,
  { id, method, params }: RelayRequest,
): Promise<RelayResponse> {
  const chain = ctx.ports.chains.get(networkId)
  if (!chain) throw notFound()
  return { jsonrpc: '2.0', id, ...(await perform(ctx, chain, method, params)) }
}

const MAX_FEE_HISTORY_BLOCKS = 32

async function perform(
  ctx: Context,
  chain: Chain,
  method: RelayMethod,
  params: readonly unknown[],
): Promise<RpcResponse> {
  switch (method) {
    case 'eth_chainId':
      return { result: numberToHex(chain.network.id) }
    case 'eth_sendRawTransaction':
      return send(ctx, chain, params[0])
    case 'eth_estimateGas':
      return chain.forward(method, [await callIn(ctx, chain, params[0])])
    case 'eth_getBalance':
    case 'eth_getTransactionCount':
      return chain.forward(method, [addressIn(params[0]), params[1] === 'pending' ? 'pending' : 'latest'])
    case 'eth_getTransactionReceipt':
    case 'eth_getTransactionByHash':
      return chain.forward(method, [hashIn(params[0])])
    case 'eth_getBlockByNumber':
      return chain.forward(method, [tagIn(params[0]), false])
    case 'eth_feeHistory':
      return chain.forward(method, [historyLengthIn(params[0]), tagIn(params[1]), percentilesIn(params[2])])
    case 'eth_blockNumber':
    case 'eth_gasPrice':
    case 'eth_maxPriorityFeePerGas':
      return chain.forward(method, [])
  }
}

/** Broadcasts a voucher mint or a signed transfer. Repeating it is safe: the bytes have one hash. */
async function send(ctx: Context, chain: Chain, raw: unknown): Promise<RpcResponse> {
  const transaction = transactionIn(raw)
  if (transaction.chainId !== chain.network.id) throw refused('These bytes are signed for another network.')
  const collection = await assertRelayed(ctx, chain, transaction.to, transaction.data)
  const hash = keccak256(raw as Hex)
  if (await isMinted(ctx, collection, transaction.data)) {
    if (await chain.receipt(hash)) return { result: hash }
    throw mintedBefore()
  }
  const sent = await chain.broadcast(raw as Hex)
  if (sent.outcome === 'known') return { result: hash }
  return { error: { code: -32000, message: sent.detail } }
}

function transactionIn(raw: unknown) {
  if (typeof raw !== 'string' || !isHex(raw)) throw refused('The first parameter must be signed bytes, in hex.')
  try {
    const transaction = parseTransaction(raw as TransactionSerialized)
    // Other types carry more than a call: blobs (EIP-4844) or authorizations (EIP-7702).
    if (['legacy', 'eip2930', 'eip1559'].includes(transaction.type ?? '') && transaction.r !== undefined)
      return transaction
  } catch {
    // Bytes that can't be parsed are refused below.
  }
  throw refused('These bytes are no signed transaction of a kind that is sent here.')
}

/** The call to estimate, reduced to the fields that it needs. */
async function callIn(ctx: Context, chain: Chain, call: unknown) {
  const { from, to, data, input, value } = (typeof call === 'object' && call !== null ? call : {}) as Record<
    string,
    unknown
  >
  const bytes = data ?? input
  if (await isMinted(ctx, await assertRelayed(ctx, chain, to, bytes), bytes)) throw mintedBefore()
  return {
    to,
    data: bytes,
    ...(from !== undefined && { from: addressIn(from) }),
    ...(typeof value === 'string' && isHex(value) && { value }),
  }
}

type Relayed = Pick<Collection, 'id' | 'tokenType'>

async function assertRelayed(ctx: Context, chain: Chain, to: unknown, data: unknown): Promise<Relayed> {
  const isOurs =
    typeof data === 'string' && isHex(data) && (decodeMintWithVoucher(data) !== null || isSignedTransfer(data))
  if (!isOurs || typeof to !== 'string' || !isAddress(to, { strict: false }))
    throw refused('Only a mint with a voucher and a signed transfer are sent here.')
  const where = {
    networkId: chain.network.id,
    contractAddress: { equals: to, mode: 'insensitive' as const },
    deploymentType: 'PLATFORM' as const,
  }
  const collection = await asDeployed(ctx).db.collection.findFirst({ where, select: { id: true, tokenType: true } })
  if (!collection) throw refused('This contract belongs to no collection deployed here.')
  return collection
}

/**
 * Whether a voucher's token was minted: a contract that lost the range of its blobs would mint it again
 * (docs/contracts.md).
 */
async function isMinted(ctx: Context, { id, tokenType }: Relayed, data: unknown): Promise<boolean> {
  const minted = tokenType === 'ERC721' && isHex(data) ? decodeMintWithVoucher(data) : null
  if (!minted) return false
  const where = { collectionId: id, tokenId: String(minted.voucher.tokenId), minted: { gt: 0n } }
  return (await asDeployed(ctx).db.item.count({ where })) > 0
}

const mintedBefore = () => refused('This token was minted before.')

const isSignedTransfer = (data: Hex): boolean =>
  (['ERC721', 'ERC1155'] as const).some((tokenType) => decodeTransferWithSignature(tokenType, data) !== null)

const refused = (detail: string) => new AppError('voucher_refused', detail)

const badParam = (detail: string) => fieldError('invalid_request', 'params', detail)

function addressIn(value: unknown): Address {
  if (typeof value === 'string' && isAddress(value, { strict: false })) return value
  throw badParam('An address is needed.')
}

function hashIn(value: unknown): Hex {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)) return value as Hex
  throw badParam('A transaction hash is needed.')
}

function tagIn(value: unknown): string {
  if (value === undefined || value === null) return 'latest'
  if (typeof value === 'string' && /^(latest|pending|safe|finalized|0x[0-9a-fA-F]{1,16})$/.test(value)) return value
  throw badParam('A block number or tag is needed.')
}

function historyLengthIn(value: unknown): Hex {
  const blocks =
    typeof value === 'number' || (typeof value === 'string' && /^(0x[0-9a-fA-F]{1,4}|\d{1,4})$/.test(value))
      ? Number(value)
      : NaN
  if (blocks >= 1 && blocks <= MAX_FEE_HISTORY_BLOCKS) return numberToHex(blocks)
  throw badParam(`A number of blocks up to ${MAX_FEE_HISTORY_BLOCKS} is needed.`)
}

function percentilesIn(value: unknown): number[] {
  if (value === undefined || value === null) return []
  if (
    Array.isArray(value) &&
    value.length <= 10 &&
    value.every((entry) => typeof entry === 'number' && entry >= 0 && entry <= 100)
  )
    return value as number[]
  throw badParam('Up to 10 percentiles are taken.')
}
