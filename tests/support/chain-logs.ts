import {
  encodeAbiParameters,
  encodeEventTopics,
  getAddress,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  toHex,
  zeroAddress,
} from 'viem'
import { vitrine1155Abi, vitrine721Abi } from '../../lib/core/contracts/abi.ts'
import { newId } from '../../lib/core/id.ts'
import type { ChainLogRow } from '../../lib/onchain/indexer/moves-of.ts'
import type { TestOrganization } from './organization.ts'

export const ZERO_ADDRESS = zeroAddress
/** The n-th test address; the same n gives the same address. */
export const makeAddress = (n: number) => getAddress(pad(numberToHex(n + 1), { size: 20 }))
export const hashOf = (text: string): Hex => keccak256(toHex(text))

type Place = { block: number; index?: number; tx?: string }
export type TestCollection = { id: string; organizationId: string; networkId: number }

const rowAt = (
  collection: TestCollection,
  { block, index = 0, tx = `${block}:${index}` }: Place,
  topics: Hex[],
  data: Hex,
): ChainLogRow => ({
  organizationId: collection.organizationId,
  collectionId: collection.id,
  networkId: collection.networkId,
  txHash: hashOf(tx),
  logIndex: index,
  blockNumber: BigInt(block),
  blockHash: hashOf(`block ${block}`),
  timestamp: new Date(1_700_000_000_000 + block * 1000),
  topics,
  data,
})

export function makeTransfer721(
  collection: TestCollection,
  at: Place,
  from: Hex,
  to: Hex,
  tokenId: bigint,
): ChainLogRow {
  const topics = encodeEventTopics({
    abi: vitrine721Abi,
    eventName: 'Transfer',
    args: { from, to, id: tokenId },
  }) as Hex[]
  return rowAt(collection, at, topics, '0x')
}

export function makeTransfer1155(
  collection: TestCollection,
  at: Place,
  from: Hex,
  to: Hex,
  ids: bigint[],
  amounts: bigint[],
): ChainLogRow {
  const topics = encodeEventTopics({
    abi: vitrine1155Abi,
    eventName: 'TransferBatch',
    args: { operator: makeAddress(99), from, to },
  }) as Hex[]
  return rowAt(
    collection,
    at,
    topics,
    encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [ids, amounts]),
  )
}

export function makeVoucherRedeemed(collection: TestCollection, at: Place, nonce: bigint): ChainLogRow {
  return rowAt(
    collection,
    at,
    encodeEventTopics({ abi: vitrine1155Abi, eventName: 'VoucherRedeemed', args: { nonce } }) as Hex[],
    '0x',
  )
}

let contracts = 0

/** A deployed collection with locked items of token ids 1, 2, …, written to the database directly. */
export async function makeCollection(
  organization: TestOrganization,
  {
    tokenType = 'ERC721' as 'ERC721' | 'ERC1155',
    items = 3,
    maxSupply = 1n as bigint | null,
    isPublic = true,
    contractAddress = makeAddress(1_000_000 + contracts++) as string,
    following = true,
  } = {},
) {
  const { ctx, id: organizationId } = organization
  const id = newId()
  await ctx.db.collection.create({
    data: {
      id,
      organizationId,
      name: id,
      isPublic,
      deploymentStatus: 'SUCCESS',
      deploymentType: 'PLATFORM',
      networkId: 31337,
      mode: 'TEST',
      tokenType,
      contractAddress,
      following,
    },
  })
  const itemIds = Array.from({ length: items }, () => newId())
  for (const [at, itemId] of itemIds.entries())
    await ctx.db.item.create({
      data: {
        id: itemId,
        organizationId,
        collectionId: id,
        attributes: { title: `Item ${at + 1}` },
        tokenId: String(at + 1),
        lockedAt: new Date(),
        maxSupply,
      },
    })
  return { id, organizationId, networkId: 31337, itemIds, contractAddress }
}

/**
 * A submitted mint request with its hold and its signed transaction `tx`. `from`: a transfer out of this operator's
 * custody.
 */
export async function makeSubmittedMint(
  organization: TestOrganization,
  collection: TestCollection,
  mint: { itemId: string; to: string; quantity?: bigint; tx: string; number?: bigint; from?: string },
) {
  const { ctx, id: organizationId } = organization
  const quantity = mint.quantity ?? 1n
  const own = { organizationId, collectionId: collection.id }
  const transaction = await ctx.db.transaction.create({
    data: {
      id: newId(),
      ...own,
      networkId: collection.networkId,
      txType: mint.from ? 'TRANSFER_TOKEN' : 'ADMIN_MINT',
      state: 'SUBMITTED',
      mintCount: 1,
    },
  })
  const id = newId()
  await ctx.db.mintRequest.create({
    data: {
      id,
      ...own,
      itemId: mint.itemId,
      transactionId: transaction.id,
      toAddress: mint.to,
      quantity,
      requestNumber: mint.number ?? BigInt(++numbers),
      state: 'SUBMITTED',
    },
  })
  const holdId = newId()
  await ctx.db.hold.create({
    data: { id: holdId, ...own, itemId: mint.itemId, holderType: 'MINT_REQUEST', holderId: id, quantity },
  })
  await ctx.db.signedTransaction.create({
    data: {
      id: newId(),
      organizationId,
      transactionId: transaction.id,
      networkId: collection.networkId,
      operator: mint.from ?? makeAddress(99),
      nonce: ++numbers,
      hash: hashOf(mint.tx),
      raw: '0x',
      gasLimit: 1n,
      maxFeePerGas: 1,
      maxPriorityFeePerGas: 1,
      mintRequestIds: [id],
    },
  })
  return { id, holdId, transactionId: transaction.id }
}

let numbers = 0
