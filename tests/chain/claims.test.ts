import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { DAY, moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemClient } from '../../lib/db/client.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { expireVouchers } from '../../lib/onchain/vouchers/expire-vouchers.ts'
import { type Chain, ChainUnavailable } from '../../lib/ports/chain/chain.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain, withReads } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { startMailbox, type Mailbox } from '../support/mailbox.ts'
import { catchUpWith } from '../support/indexing.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection, tokenAbi1155, tokenAbi721 } from '../support/sending.ts'
import { sendVoucher } from '../support/vouchers.ts'

let local: TestChain
let mailbox: Mailbox
let organization: TestOrganization
const recipient = privateKeyToAccount(generatePrivateKey())
const anyone = callerOf()

beforeAll(async () => {
  mailbox = await startMailbox()
  local = await startChain()
  await local.node.setBalance({ address: recipient.address, value: parseEther('10') })
  organization = await makeOrganization()
})
beforeEach(resetClock)
afterEach(async () => {
  resetClock()
  expect(await verifyRecords(systemContext('test'))).toEqual([])
})

const catchUp = () => catchUpWith(local.chain)

type Variant = 'ERC721' | 'ERC1155'

async function send(
  terms: { tx_payer: 'SELLER' | 'BUYER'; quantity?: number },
  { variant = 'ERC721' as Variant } = {},
) {
  const onChain = await makeOnChainCollection(organization, local, { variant })
  await catchUp()
  const email = `${newId()}@example.com`
  const { status, body } = await onChain.api.post('/v1/email-claims', { email, item_id: onChain.itemIds[0], ...terms })
  expect(status, JSON.stringify(body)).toBe(201)
  const path = `/public/v1/email-claims/${body.claim_url.split('/').at(-1)}`
  const redeem = async (address: string) => {
    const sent = await anyone.post(`${path}/verify`)
    expect(sent.status).toBe(201)
    expect(sent.body.token_contract).toEqual((await anyone.get(path)).body.item.token_contract)
    return anyone.post(`${path}/redeem`, { address, pin: await mailbox.pinOf(email) })
  }
  return {
    ...onChain,
    id: body.id as string,
    itemId: onChain.itemIds[0]!,
    email,
    redeem,
    view: async () => (await anyone.get(path)).body,
  }
}

const mintWith = (entry: unknown) => sendVoucher(local, recipient, entry)

const itemOf = (id: string) => systemClient().item.findUniqueOrThrow({ where: { id } })

test('an item sent by email is minted to the redeeming address, and claim, owners and mail show it', async () => {
  const claim = await send({ tx_payer: 'SELLER' })
  const to = makeRandomAddress()
  expect((await claim.redeem(to)).body).toEqual({ status: 'CLAIMED', voucher: null })
  expect((await claim.view()).delivery.state).toBe('QUEUED')
  await claim.sender.run()
  expect(await claim.view()).toMatchObject({
    is_claimed: true,
    delivery: { state: 'CONFIRMED', token_id: '1', tx_hash: expect.stringMatching(/^0x/) },
  })
  expect(
    await local.client.readContract({ address: claim.contract, abi: tokenAbi721, functionName: 'ownerOf', args: [1n] }),
  ).toBe(to)
  await catchUp()
  expect((await anyone.get(`/public/v1/items/${claim.itemId}/owners`)).body.results).toEqual([
    { address: to, quantity: 1 },
  ])
  expect(await itemOf(claim.itemId)).toMatchObject({ minted: 1n, held: 0n, minting: 0n })
  await mailbox.deliver(claim.email)
  expect(mailbox.mailsTo(claim.email).at(-1)!.subject).toBe('“Item 1” has arrived')
})

test('redeeming to a contract that rejects the token is refused without using up the claim', async () => {
  const claim = await send({ tx_payer: 'SELLER' })
  const refused = await claim.redeem(local.contracts.factory)
  expect([refused.status, refused.body.code]).toEqual([422, 'address_cannot_receive'])
  moveClock(61_000)
  expect((await claim.redeem(makeRandomAddress())).status).toBe(201)
})

test.each([
  ['ERC721', 1],
  ['ERC1155', 3],
] as const)(
  '%s: a claim’s voucher sent by the recipient completes the claim, and a reorg reopens it',
  async (variant, quantity) => {
    const claim = await send({ tx_payer: 'BUYER', quantity }, { variant })
    const { body } = await claim.redeem(recipient.address)
    expect(body.status).toBe('VOUCHER_ISSUED')
    await catchUp()
    const before = await local.client.getBlockNumber()
    expect((await mintWith(body.voucher)).status).toBe('success')
    await catchUp()
    const balance = () =>
      variant === 'ERC721'
        ? local.client.readContract({
            address: claim.contract,
            abi: tokenAbi721,
            functionName: 'balanceOf',
            args: [recipient.address],
          })
        : local.client.readContract({
            address: claim.contract,
            abi: tokenAbi1155,
            functionName: 'balanceOf',
            args: [recipient.address, 1n],
          })
    expect(await balance()).toBe(BigInt(quantity))
    expect(await claim.view()).toMatchObject({
      is_active: false,
      is_claimed: true,
      voucher: null,
      delivery: { state: 'CONFIRMED' },
    })
    expect(await itemOf(claim.itemId)).toMatchObject({ minted: BigInt(quantity), held: 0n })
    expect((await mintWith(body.voucher)).status).toBe('reverted')

    const depth = Number((await local.client.getBlockNumber()) - before)
    await local.node.request({ method: 'anvil_reorg', params: [depth, []] } as never)
    await local.node.mine({ blocks: 1 })
    await catchUp()
    expect(await balance()).toBe(0n)
    expect(await claim.view()).toMatchObject({
      is_active: true,
      is_claimed: false,
      voucher: body.voucher,
      delivery: { state: 'NOT_STARTED', tx_hash: null },
    })
    expect(await itemOf(claim.itemId)).toMatchObject({ minted: 0n, held: BigInt(quantity) })

    expect((await mintWith(body.voucher)).status).toBe('success')
    await catchUp()
    expect(await claim.view()).toMatchObject({ is_claimed: true })
    await mailbox.deliver(claim.email)
    expect(mailbox.mailsTo(claim.email).filter(({ subject }) => subject!.includes('has arrived'))).toHaveLength(1)
  },
)

test.each(['ERC721', 'ERC1155'] as const)(
  '%s: a revoked claim’s voucher is cancelled on the chain, which frees its unit',
  async (variant) => {
    const claim = await send({ tx_payer: 'BUYER' }, { variant })
    const { body } = await claim.redeem(recipient.address)
    expect((await claim.api.delete(`/v1/email-claims/${claim.id}`)).status).toBe(204)
    expect((await itemOf(claim.itemId)).held).toBe(1n)
    await claim.sender.run()
    await catchUp()
    expect((await itemOf(claim.itemId)).held).toBe(0n)
    expect((await mintWith(body.voucher)).status).toBe('reverted')
  },
)

test('a voucher expires by the chain’s time, and the next voucher mints', async () => {
  const claim = await send({ tx_payer: 'BUYER' })
  const first = (await claim.redeem(recipient.address)).body.voucher
  moveClock(8 * DAY * 1000)
  await catchUp()
  expect(await expireVouchers(systemContext('test'), local.chain)).toBe(0)
  await local.node.increaseTime({ seconds: 8 * DAY })
  await local.node.mine({ blocks: 2 })
  await catchUp()
  expect(await expireVouchers(systemContext('test'), local.chain)).toBe(1)
  expect((await mintWith(first)).status).toBe('reverted')
  const second = (await claim.redeem(recipient.address)).body.voucher
  expect(second.voucher.nonce).toBeGreaterThan(first.voucher.nonce)
  expect((await mintWith(second)).status).toBe('success')
  await catchUp()
  expect(await claim.view()).toMatchObject({ is_claimed: true, delivery: { state: 'CONFIRMED' } })
})

test('a used voucher whose mint a node left out doesn’t expire; its claim is delivered once the log is there', async () => {
  // The chain's clock may be ahead of ours by now.
  moveClock(Number((await local.chain.head()).timestamp) - Date.now())
  const claims = [await send({ tx_payer: 'BUYER' }), await send({ tx_payer: 'BUYER' }, { variant: 'ERC1155' })]
  for (const claim of claims) {
    const { voucher } = (await claim.redeem(recipient.address)).body
    expect((await mintWith(voucher)).status).toBe('success')
  }
  await local.node.increaseTime({ seconds: 8 * DAY })
  await local.node.mine({ blocks: 2 })
  const worker = systemContext('test')
  const lying = withReads(local.chain, { logs: () => Promise.resolve([]), blockLogs: () => Promise.resolve([]) })
  while ((await indexOnce(worker, lying)) !== 'caught_up');
  const silent: Chain = { ...local.chain, read: () => Promise.reject(new ChainUnavailable('No node answers.')) }
  expect(await expireVouchers(worker, silent)).toBe(0)
  expect(await expireVouchers(worker, local.chain)).toBe(0)
  for (const claim of claims) expect(await claim.view()).toMatchObject({ is_claimed: false })
  // Deep blocks are read once more, this time from an honest node.
  await local.node.mine({ blocks: 100 })
  await catchUp()
  for (const claim of claims)
    expect(await claim.view()).toMatchObject({ is_claimed: true, delivery: { state: 'CONFIRMED' } })
})
