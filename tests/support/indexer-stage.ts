import { createWalletClient, getAddress, http, parseEther, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterEach, beforeAll, beforeEach } from 'vitest'
import { type Chain } from '../../lib/ports/chain/chain.ts'
import { resetClock } from '../../lib/core/clock.ts'
import {
  cloneAddress,
  encodeAdminMint721,
  encodeCloneArgs,
  encodeCreate,
  saltOf,
  type TokenType,
} from '../../lib/core/contracts/calls.ts'
import { newId } from '../../lib/core/id.ts'
import { ports } from '../../lib/ports/ports.ts'
import { callerOf } from './call.ts'
import { startChain, type TestChain } from './chain.ts'
import { makeCollection } from './chain-logs.ts'
import { catchUpWith } from './indexing.ts'
import { makeOrganization, type TestOrganization } from './organization.ts'
import { receiptOf } from './receipt-of.ts'
import { columnsOf, makeTerms } from './voucher-terms.ts'

/**
 * A chain and an organization for a test file about the indexer, and what its tests do with them. Call it at the top of
 * the file. Each test begins with an indexer that has caught up.
 */
export function indexerStage() {
  const stage = {} as { local: TestChain; organization: TestOrganization }
  const holder = privateKeyToAccount(generatePrivateKey())
  const other = privateKeyToAccount(generatePrivateKey())
  const api = callerOf()
  const catchUp = (chain: Chain = stage.local.chain) => catchUpWith(chain)

  beforeAll(async () => {
    const local = await startChain()
    for (const { address } of [holder, other]) await local.node.setBalance({ address, value: parseEther('100') })
    Object.assign(stage, { local, organization: await makeOrganization() })
  })
  beforeEach(() => catchUp())
  afterEach(resetClock)

  async function send(
    from: { address: Address } & ReturnType<typeof privateKeyToAccount>,
    to: Address,
    data: Hex,
    value = 0n,
  ) {
    const wallet = createWalletClient({ account: from, chain: foundry, transport: http(stage.local.rpcUrl) })
    const hash = await wallet.sendTransaction({ to, data, value })
    return receiptOf(stage.local.client, hash)
  }

  /** A collection on the chain, and its rows. The contract is deployed before the rows are made. */
  async function deploy(tokenType: TokenType = 'ERC721', { items = 3, maxSupply = 1n as bigint | null } = {}) {
    const contract = await deployContract(newId(), tokenType)
    const collection = await makeCollection(stage.organization, {
      tokenType,
      items,
      maxSupply,
      contractAddress: contract,
      following: false,
    })
    return { ...collection, contract }
  }

  async function deployContract(collectionId: string, tokenType: TokenType): Promise<Address> {
    const { factory, implementation721, implementation1155 } = stage.local.contracts
    const args = encodeCloneArgs({
      tokenType,
      collectionId,
      name: 'Test',
      symbol: 'T',
      owner: stage.local.operator.address,
      minter: stage.local.operator.address,
      signer: ports().keys.voucherSigner(collectionId),
      maxSupply: null,
      manualIds: false,
      soulbound: false,
      royaltyReceiver: null,
      royaltyBps: 0,
    })
    const clone = {
      factory,
      implementation: tokenType === 'ERC721' ? implementation721 : implementation1155,
      salt: saltOf(collectionId),
      args,
    }
    const contract = getAddress(cloneAddress(clone))
    signers.set(contract, collectionId)
    await send(stage.local.operator, factory, encodeCreate(clone))
    return contract
  }

  /** Collection ids by contract; a collection's id selects the key that signs its vouchers. */
  const signers = new Map<string, string>()

  const mint721 = (contract: Address, tokenId: bigint, to: Address = holder.address) =>
    send(stage.local.operator, contract, encodeAdminMint721([{ to, tokenId }]))
  const history = async (itemId: string) =>
    (await api.get(`/public/v1/items/${itemId}/history`)).body.results as { type: string; quantity: number }[]
  const owners = async (itemId: string) =>
    (await api.get(`/public/v1/items/${itemId}/owners?order_direction=ASC`)).body.results as {
      address: string
      quantity: number
    }[]
  const openAlarms = (kind: string) => stage.organization.ctx.db.alarm.count({ where: { kind, resolvedAt: null } })

  /** A claim's voucher for the first item, signed by the collection's key. */
  async function makeVoucher(
    { id: collectionId, itemIds, contract }: Awaited<ReturnType<typeof deploy>>,
    nonce: bigint,
  ) {
    const { ctx, id: organizationId } = stage.organization
    const own = { organizationId, collectionId, itemId: itemIds[0]! }
    const claim = await ctx.db.emailClaim.create({
      data: { id: newId(), ...own, email: 'ada@example.com', quantity: 1n, txPayer: 'BUYER' },
    })
    const hold = await ctx.db.hold.create({
      data: { id: newId(), ...own, holderType: 'CLAIM', holderId: claim.id, quantity: 1n },
    })
    const voucher = makeTerms({ minter: holder.address, nonce })
    const signature = await ports().keys.signVoucher(signers.get(contract)!, 31337, contract, voucher)
    const row = await ctx.db.voucher.create({
      data: {
        id: newId(),
        ...own,
        claimId: claim.id,
        networkId: 31337,
        contract,
        ...columnsOf(voucher),
        signature,
      },
    })
    const states = async () => [
      (await ctx.db.voucher.findUniqueOrThrow({ where: { id: row.id } })).state,
      (await ctx.db.emailClaim.findUniqueOrThrow({ where: { id: claim.id } })).state,
      (await ctx.db.hold.findUniqueOrThrow({ where: { id: hold.id } })).state,
    ]
    return { voucher, signature, states }
  }

  return {
    stage,
    api,
    holder,
    other,
    catchUp,
    send,
    deploy,
    deployContract,
    mint721,
    history,
    owners,
    openAlarms,
    makeVoucher,
  }
}
