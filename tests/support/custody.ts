import { createWalletClient, http, type Address, type Hex } from 'viem'
import { type privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterEach, beforeAll, expect } from 'vitest'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { claimContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { createClaim } from '../../lib/giving/create-claim.ts'
import { redeemClaim } from '../../lib/giving/redeem-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { countInLane } from './by-hand.ts'
import { startChain, type TestChain } from './chain.ts'
import { caller } from './claims.ts'
import { startMailbox, type Mailbox } from './mailbox.ts'
import { makeOrganization, type TestOrganization } from './organization.ts'
import { receiptOf } from './receipt-of.ts'
import { connectCards } from './selling.ts'
import { makeOnChainCollection, tokenAbi721 } from './sending.ts'

// What the tests of a file share; `setUpCustody` fills it.
export let testChain: TestChain
export let mailbox: Mailbox
export let organization: TestOrganization
/** A worker context with the current ports. */
export const worker = () => systemContext('test')

/**
 * Prepares a chain, a mailbox and an organization that sells by card. After each test the records must agree with the
 * chain.
 */
export function setUpCustody(): void {
  beforeAll(async () => {
    testChain = await startChain()
    mailbox = await startMailbox()
    organization = await makeOrganization()
    await connectCards(organization)
  })
  afterEach(async () => {
    resetClock()
    await catchUp()
    expect(await verifyRecords(worker())).toEqual([])
  })
}

export async function catchUp(): Promise<void> {
  while ((await indexOnce(worker(), testChain.chain)) === 'more');
}

export const itemOf = (id: string) =>
  organization.ctx.db.item.findFirstOrThrow({
    where: { id },
    select: { held: true, minting: true, minted: true, custodian: true },
  })
export const holdsOf = async (itemId: string) =>
  (await organization.ctx.db.hold.findMany({ where: { itemId }, orderBy: { id: 'asc' } })).map(
    ({ holderType, state }) => [holderType, state],
  )
export const historyOf = async (itemId: string) =>
  (await organization.ctx.db.itemHistory.findMany({ where: { itemId }, orderBy: { id: 'asc' } })).map(
    ({ type, toAddress }) => [type, toAddress],
  )
export const ownerOf = (contract: Address, id = 1n) =>
  testChain.client.readContract({ address: contract, abi: tokenAbi721, functionName: 'ownerOf', args: [id] })
export const reorg = (depth: number) =>
  testChain.client.request({ method: 'anvil_reorg', params: [depth, []] } as never)
export const custodian = () => testChain.operator.address
export const IN_CUSTODY = () => ({ held: 0n, minting: 0n, minted: 1n, custodian: custodian() })
export const HANDED_OVER = { held: 0n, minting: 0n, minted: 1n, custodian: null }

/** Sends a transaction without a row in the database. */
export async function sendAs(account: ReturnType<typeof privateKeyToAccount>, to: Address, data: Hex): Promise<void> {
  const wallet = createWalletClient({ account, chain: foundry, transport: http(testChain.rpcUrl) })
  const hash = await wallet.sendTransaction({ to, data, gas: 400_000n })
  expect((await receiptOf(testChain.client, hash)).status).toBe('success')
  await countInLane(testChain, account.address)
}

/** Items minted to our own operator, and so in custody. */
export async function makeInCustody(items = 1, platform: object = {}) {
  const made = await makeOnChainCollection(organization, testChain, { items, platform })
  const { status, body } = await made.api.post('/v1/mint-requests', { item_ids: made.itemIds, to_address: custodian() })
  expect(status, JSON.stringify(body)).toBe(201)
  await made.sender.run()
  await catchUp()
  return { ...made, itemId: made.itemIds[0]! }
}

export async function makeClaim(itemId: string, txPayer: 'SELLER' | 'BUYER' = 'SELLER') {
  const email = `${newId()}@example.com`
  const { id, claim_url } = await createClaim(organization.ctx, { email, item_id: itemId, tx_payer: txPayer })
  return openClaim({ id, claim_url, email })
}

export async function openClaim({ id, claim_url, email }: { id: string; claim_url: string | null; email: string }) {
  const ctx = await claimContext(claim_url!.split('/').at(-1)!, caller)
  const pin = () => mailbox.pinOf(email)
  const redeem = async (address: Address) => {
    await sendPin(ctx)
    return redeemClaim(ctx, { pin: await pin(), address })
  }
  return { id, ctx, redeem, pin, email }
}

export const transactionsOf = (collectionId: string) =>
  organization.ctx.db.transaction.findMany({
    where: { collectionId, txType: { not: 'DEPLOY_TOKEN_CONTRACT' } },
    orderBy: { id: 'asc' },
    select: { id: true, txType: true, state: true, operator: true, mintCount: true },
  })
