import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Address } from 'viem'
import { claimContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { createClaim } from '../../lib/giving/create-claim.ts'
import { getClaim } from '../../lib/giving/get-claim.ts'
import { getClaimView } from '../../lib/giving/get-claim-view.ts'
import { redeemClaim } from '../../lib/giving/redeem-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress, caller } from '../support/claims.ts'
import { startMailbox, type Mailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection, tokenAbi1155 } from '../support/sending.ts'

let testChain: TestChain
let mailbox: Mailbox
let organization: TestOrganization

beforeAll(async () => {
  testChain = await startChain()
  mailbox = await startMailbox()
  organization = await makeOrganization()
})
afterEach(resetClock)

async function makeClaim(itemId: string, quantity = 1n) {
  const email = `${newId()}@example.com`
  const { id, claim_url } = await createClaim(organization.ctx, { email, item_id: itemId, quantity })
  const ctx = await claimContext(claim_url!.split('/').at(-1)!, caller)
  const redeem = async (address: Address) => {
    await sendPin(ctx)
    return redeemClaim(ctx, { pin: await mailbox.pinOf(email), address })
  }
  return { id, ctx, redeem }
}

const heldOf = async (id: string) => {
  const { held, minting, minted } = await organization.ctx.db.item.findFirstOrThrow({ where: { id } })
  return { held, minting, minted }
}
async function index(): Promise<void> {
  while ((await indexOnce(systemContext('test'), testChain.chain)) === 'more');
}

test('a claim’s delivery follows its mint, back to SUBMITTED in a reorg, and is announced once', async () => {
  const { itemIds, sender } = await makeOnChainCollection(organization, testChain)
  const claim = await makeClaim(itemIds[0]!)
  await claim.redeem(makeRandomAddress())
  expect((await getClaim(organization.ctx, claim.id)).delivery.state).toBe('QUEUED')
  await testChain.node.setAutomine(false)
  await sender.submitAll()
  await sender.watch()
  expect((await getClaimView(claim.ctx)).delivery.state).toBe('SUBMITTED')
  await testChain.node.mine({ blocks: 1 })
  await sender.watch()
  await index()
  expect((await getClaimView(claim.ctx)).delivery.state).toBe('CONFIRMED')
  expect(await heldOf(itemIds[0]!)).toEqual({ held: 0n, minting: 0n, minted: 1n })

  await testChain.client.request({ method: 'anvil_reorg', params: [1, []] } as never)
  await sender.watch()
  await index()
  expect((await getClaimView(claim.ctx)).delivery.state).toBe('SUBMITTED')
  expect(await heldOf(itemIds[0]!)).toEqual({ held: 1n, minting: 1n, minted: 0n })
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  await sender.watch()
  await index()
  expect((await getClaimView(claim.ctx)).delivery.state).toBe('CONFIRMED')
  expect(await heldOf(itemIds[0]!)).toEqual({ held: 0n, minting: 0n, minted: 1n })
  const eventCount = await organization.ctx.db.event.count({ where: { type: 'claim.delivered', key: claim.id } })
  expect(eventCount).toBe(1)
})

test('a mint that a reorg made revert fails only once the indexer has gone back, and its claim opens again with its units', async () => {
  const { itemIds, sender, contract } = await makeOnChainCollection(organization, testChain)
  const claim = await makeClaim(itemIds[0]!)
  await claim.redeem(makeRandomAddress())
  await sender.run()
  await index()
  expect(await heldOf(itemIds[0]!)).toEqual({ held: 0n, minting: 0n, minted: 1n })

  await testChain.node.setAutomine(false)
  await testChain.client.request({ method: 'anvil_reorg', params: [1, []] } as never)
  const code = await testChain.client.getCode({ address: contract })
  await testChain.node.setCode({ address: contract, bytecode: '0x60006000fd' })
  await sender.watch()
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setCode({ address: contract, bytecode: code! })
  await testChain.node.setAutomine(true)
  // Its block is final, and the indexer still has the mint of the block that is gone.
  await sender.watch()
  expect((await getClaimView(claim.ctx)).delivery.state).toBe('SUBMITTED')
  await index()
  await sender.watch()
  expect(await getClaimView(claim.ctx)).toMatchObject({ is_active: true, is_claimed: false })
  expect(await heldOf(itemIds[0]!)).toEqual({ held: 1n, minting: 0n, minted: 0n })
  expect(
    await organization.ctx.db.hold.findMany({
      where: { itemId: itemIds[0]! },
      select: { holderType: true, state: true },
    }),
  ).toEqual([{ holderType: 'CLAIM', state: 'HELD' }])
})

test('a claim whose mint failed permanently opens again with its units, and can be redeemed to another address', async () => {
  const { itemIds, sender, contract } = await makeOnChainCollection(organization, testChain, {
    variant: 'ERC1155',
    max_supply: 5,
  })
  const claim = await makeClaim(itemIds[0]!, 2n)
  const rejecting = makeRandomAddress()
  await claim.redeem(rejecting)
  await testChain.node.setCode({ address: rejecting, bytecode: '0x60006000fd' })
  await sender.run()
  const reopened = await getClaim(organization.ctx, claim.id)
  expect(reopened).toMatchObject({ active: true, claimed: false, to_address: null })
  expect(await heldOf(itemIds[0]!)).toEqual({ held: 2n, minting: 0n, minted: 0n })

  moveClock(61_000)
  const other = makeRandomAddress()
  await claim.redeem(other)
  await sender.run()
  await index()
  expect(
    await testChain.client.readContract({
      address: contract,
      abi: tokenAbi1155,
      functionName: 'balanceOf',
      args: [other, 1n],
    }),
  ).toBe(2n)
  expect((await getClaimView(claim.ctx)).delivery.state).toBe('CONFIRMED')
  expect(await heldOf(itemIds[0]!)).toEqual({ held: 0n, minting: 0n, minted: 2n })
})
