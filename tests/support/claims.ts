import { randomBytes } from 'node:crypto'
import { getAddress, type Address, type Hex } from 'viem'
import type { Prisma, TokenType } from '../../generated/prisma/client.ts'
import { claimContext } from '../../lib/platform/auth/authenticate.ts'
import type { Context } from '../../lib/platform/auth/context.ts'
import { CallReverted, type Chain, type Network } from '../../lib/ports/chain/chain.ts'
import { systemClient } from '../../lib/db/client.ts'
import { createClaim } from '../../lib/giving/create-claim.ts'
import { newId } from '../../lib/core/id.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import type { TestOrganization } from './organization.ts'

export const makeRandomAddress = (): Address => getAddress(`0x${randomBytes(20).toString('hex')}`)
export const caller = { requestId: 'test', clientAddress: '127.0.0.1' }

const NETWORK: Network = {
  id: 31337,
  name: 'Local',
  testnet: true,
  confirmations: 1,
  reorgWindow: 64,
  finality: 'never',
  explorerUrl: 'https://explorer.example',
  currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  contracts: null,
}

/** Replaces this process's chain by a fake that has only a head, a time and the answers of `contracts`. */
export function installFakeChain() {
  const contracts = new Map<Address, Hex | 'reverts'>()
  const state = { contracts, head: 100n, time: new Date() }
  const unexpected = () => Promise.reject(new Error('The fake chain does not support this call.'))
  const block = (number: bigint) =>
    Promise.resolve({ number, hash: '0x01' as Hex, parentHash: '0x00' as Hex, timestamp: state.time, logsBloom: null })
  const chain: Chain = {
    network: NETWORK,
    head: () => block(state.head),
    block,
    finalized: () => Promise.resolve(null),
    code: (address) => Promise.resolve(contracts.has(address) ? '0x60' : null),
    read: ({ to }) => {
      const answer = contracts.get(to) ?? 'reverts'
      return answer === 'reverts' ? Promise.reject(new CallReverted('No.', null)) : Promise.resolve(answer)
    },
    logs: unexpected,
    balance: unexpected,
    nonce: unexpected,
    fees: unexpected,
    simulate: unexpected,
    broadcast: unexpected,
    receipt: unexpected,
    transactionOf: unexpected,
    forward: unexpected,
    blockLogs: unexpected,
    atOneNode: unexpected,
    atSeveralNodes: async (ask) => [await ask({ ...chain, name: 'fake' })],
    nodesOfOtherChains: () => [],
  }
  replacePorts({ chains: new Map([[NETWORK.id, chain]]) })
  return state
}

/** Says that the fake chain's logs are entered up to a block: its own, or that of a branch which a reorg left. */
export async function enterFakeBlocks(number: bigint, branch: 'its own' | 'left' = 'its own'): Promise<void> {
  const networkId = NETWORK.id
  const hash = branch === 'left' ? '0x02' : '0x01'
  await systemClient().chainBlock.upsert({
    where: { networkId_number: { networkId, number } },
    create: { networkId, number, hash, parentHash: '0x00', timestamp: new Date() },
    update: { hash },
  })
  await systemClient().chainCursor.upsert({
    where: { networkId },
    create: { networkId, number },
    update: { number },
  })
}

type Stock = {
  tokenType?: TokenType
  maxSupply?: bigint | null
  locked?: boolean
  deployed?: boolean
  title?: string
  attributes?: Record<string, unknown>
  isPublic?: boolean
}

/** An item that can be claimed: locked, in a deployed collection, unless `stock` differs. */
export async function makeItem({ ctx, id: organizationId }: Pick<TestOrganization, 'ctx' | 'id'>, stock: Stock = {}) {
  const {
    tokenType = 'ERC721',
    maxSupply = 1n,
    locked = true,
    deployed = true,
    title = 'Moonflower',
    attributes = { title },
    isPublic = true,
  } = stock
  const collection = await ctx.db.collection.create({
    data: {
      id: newId(),
      organizationId,
      name: newId(),
      isPublic,
      mode: 'TEST',
      networkId: 31337,
      tokenType,
      deploymentType: 'PLATFORM',
      deploymentStatus: deployed ? 'SUCCESS' : 'PENDING',
      contractAddress: makeRandomAddress(),
      following: true,
    },
  })
  const item = await ctx.db.item.create({
    data: {
      id: newId(),
      organizationId,
      collectionId: collection.id,
      attributes: attributes as Prisma.InputJsonObject,
    },
  })
  if (locked)
    await ctx.db.item.update({ where: { id: item.id }, data: { tokenId: '1', lockedAt: new Date(), maxSupply } })
  return { itemId: item.id, collectionId: collection.id }
}

export type SentClaim = Awaited<ReturnType<typeof sendClaim>>

/** A claim to a random email address, with its token and the context that its link gives. */
export async function sendClaim(
  organization: Pick<TestOrganization, 'ctx' | 'id'>,
  order: { txPayer?: 'SELLER' | 'BUYER'; quantity?: bigint; expiration?: Date } & Stock = {},
) {
  const { itemId, collectionId } = await makeItem(organization, order)
  const email = `${newId()}@example.com`
  const claim = await createClaim(organization.ctx, {
    email,
    item_id: itemId,
    ...(order.txPayer && { tx_payer: order.txPayer }),
    ...(order.quantity && { quantity: order.quantity }),
    ...(order.expiration && { expiration: order.expiration }),
  })
  const token = claim.claim_url!.split('/').at(-1)!
  return {
    id: claim.id,
    claim,
    email,
    token,
    itemId,
    collectionId,
    ctx: (await claimContext(token, caller)) as Context,
  }
}
