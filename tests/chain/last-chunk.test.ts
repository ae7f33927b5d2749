import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { concat, encodeFunctionData, type Address, type Hex } from 'viem'
import { vitrine721Abi } from '../../lib/core/contracts/abi.ts'
import { encodeSetMaxSupply } from '../../lib/core/contracts/calls.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { isConsecutiveBatch } from '../../lib/onchain/transactions/prepare-transaction.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { checkChunkRanges } from '../../lib/worker/check-chunk-ranges.ts'
import { sendByHand } from '../support/by-hand.ts'
import { call, callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeCollection, makeItems } from '../support/collections.ts'
import { vitrine721BeforeIdLimit, withEarlierContracts } from '../support/earlier-contracts.ts'
import { catchUpWith } from '../support/indexing.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRedeemableClaims, redeem } from '../support/redeemable-claims.ts'
import { makeSender, tokenAbi721 } from '../support/sending.ts'
import { findDisagreements, forgetCollections } from '../support/verifying.ts'
import { callOfVoucher } from '../support/vouchers.ts'

const LAST_ID = 2n ** 63n - 1n

let testChain: TestChain
let organization: TestOrganization

beforeAll(async () => {
  testChain = await startChain()
})
beforeEach(async () => {
  organization = await makeOrganization()
})
afterEach(async () => {
  resetClock()
  await forgetCollections()
})

const worker = () => systemContext('test')
const ownerOf = (contract: Address, tokenId: bigint) =>
  testChain.client.readContract({ address: contract, abi: tokenAbi721, functionName: 'ownerOf', args: [tokenId] })

/** A deployed collection whose ids are given by hand, with an item for each of these. */
async function makeWithIds(chain: TestChain, ids: readonly bigint[], max_supply?: number) {
  const api = callerOf(organization.key)
  const collectionId = await makeCollection(api, {
    deployment_request: {
      network_id: 31337,
      token_id_assignment_strategy: 'MANUAL',
      platform: { symbol: 'TEST', variant: 'ERC721', max_supply },
    },
  })
  const sender = makeSender(chain)
  await sender.run()
  const itemIds = await makeItems(api, collectionId, ids.length, { lock: false })
  for (const [at, item_id] of itemIds.entries())
    expect((await api.post('/v1/items/lock', { item_id, token_id: String(ids[at]) })).status).toBe(201)
  const { contractAddress } = await organization.ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })
  return { api, collectionId, sender, itemIds, contract: contractAddress as Address }
}
const makeEarlier = (ids: readonly bigint[], max_supply?: number) =>
  withEarlierContracts(testChain, vitrine721BeforeIdLimit, (earlier) => makeWithIds(earlier, ids, max_supply))

async function requestMints({ api }: Pick<Made, 'api'>, itemIds: readonly string[]): Promise<Address[]> {
  const to_addresses = itemIds.map(() => makeRandomAddress())
  const { status, body } = await api.post('/v1/mint-requests', { item_ids: itemIds, to_addresses })
  expect(status, JSON.stringify(body)).toBe(201)
  return to_addresses
}
type Made = Awaited<ReturnType<typeof makeWithIds>>

/**
 * Mints consecutive ids with the minter's key but without the application, which no longer makes such a batch in the
 * last chunk.
 */
const mintRunByHand = (contract: Address, firstId: bigint, owners: readonly Address[]) =>
  sendByHand(testChain, {
    to: contract,
    data: encodeFunctionData({
      abi: vitrine721Abi,
      functionName: 'adminMintRun',
      args: [firstId, concat([...owners]) as Hex],
    }),
  })

const signedOf = (collectionId: string) =>
  organization.ctx.db.signedTransaction.findMany({ where: { transaction: { collectionId, txType: 'ADMIN_MINT' } } })

test.each([
  ['a present', (ids: readonly bigint[]) => makeWithIds(testChain, ids)],
  ['an earlier', (ids: readonly bigint[]) => makeEarlier(ids)],
])('twenty items at the highest ids of %s contract are minted one by one, each to its recipient', async (_, make) => {
  const ids = Array.from({ length: 20 }, (_, at) => LAST_ID - 19n + BigInt(at))
  const made = await make(ids)
  const recipients = await requestMints(made, made.itemIds)
  await made.sender.run()
  const signed = await signedOf(made.collectionId)
  expect(signed.map(({ raw }) => isConsecutiveBatch(raw as Hex))).toEqual([false])
  expect(await Promise.all(ids.map((id) => ownerOf(made.contract, id)))).toEqual(recipients)
  await catchUpWith(testChain.chain)
  expect(await findDisagreements()).toEqual([])
})

/**
 * An earlier contract with holders in blobs, after its minter minted in the last chunk: it would mint again what they
 * have.
 */
async function makeLost() {
  const made = await makeEarlier([0n, 1n, 2n, 3n], 100)
  const holder = makeRandomAddress()
  await catchUpWith(testChain.chain)
  return { ...made, holder, lose: () => loseRange(made.contract, holder) }
}
async function loseRange(contract: Address, holder: Address): Promise<void> {
  await mintRunByHand(contract, 0n, [holder, holder])
  await mintRunByHand(contract, LAST_ID, [holder])
}

test('a mint of a token that the index has as minted never leaves, though a simulation says that it would succeed', async () => {
  const lost = await makeLost()
  await requestMints(lost, lost.itemIds.slice(0, 3))
  await lost.lose()
  await catchUpWith(testChain.chain)
  const [first, , third] = lost.itemIds
  await lost.sender.run()
  expect(await ownerOf(lost.contract, 0n)).toBe(lost.holder)
  expect(await ownerOf(lost.contract, 1n)).toBe(lost.holder)
  const mints = await organization.ctx.db.mintRequest.findMany({ where: { collectionId: lost.collectionId } })
  const stateOf = (itemId?: string) => mints.find((mint) => mint.itemId === itemId)?.state
  expect(stateOf(first)).toBe('FAILED')
  expect(stateOf(third)).toBe('COMPLETED')
})

test('no voucher is signed for such a token, and none is sent by our relay', async () => {
  const lost = await makeLost()
  const [claim, early] = await makeRedeemableClaims(organization, lost.collectionId, lost.itemIds.slice(0, 2), {
    txPayer: 'BUYER',
  })
  const { voucher } = await redeem(early!, makeRandomAddress())
  await lost.lose()
  const { to, data } = callOfVoucher(voucher)
  const estimate = () =>
    call('POST', '/public/v1/relay/31337', {
      body: { jsonrpc: '2.0', id: 1, method: 'eth_estimateGas', params: [{ from: lost.holder, to, data }] },
    })
  // The contract would mint the holder's token again.
  expect((await estimate()).body.result).toBeTruthy()
  await catchUpWith(testChain.chain)
  expect((await estimate()).body).toMatchObject({ code: 'voucher_refused', detail: 'This token was minted before.' })
  await expect(redeem(claim!, makeRandomAddress())).rejects.toThrow()
  expect(await organization.ctx.db.voucher.count({ where: { claimId: claim!.id } })).toBe(0)
})

test('verify and an alarm name the collection, until its max supply lets nothing more be minted', async () => {
  const lost = await makeLost()
  const alarms = () =>
    organization.ctx.db.alarm.count({
      where: { kind: 'chunk_range_lost', subject: lost.collectionId, resolvedAt: null },
    })
  const named = async () => (await findDisagreements()).filter(([, subject]) => subject === lost.collectionId)
  await mintRunByHand(lost.contract, 0n, [lost.holder, lost.holder])
  await catchUpWith(testChain.chain)
  await checkChunkRanges(worker())
  expect(await alarms()).toBe(0)
  expect(await named()).toEqual([])
  await mintRunByHand(lost.contract, LAST_ID, [lost.holder])
  await catchUpWith(testChain.chain)
  await checkChunkRanges(worker())
  expect(await alarms()).toBe(1)
  expect(await named()).toEqual([['no contract mints a token again', lost.collectionId]])
  await sendByHand(testChain, { to: lost.contract, data: encodeSetMaxSupply(3n) })
  moveClock(60_000)
  await catchUpWith(testChain.chain)
  await checkChunkRanges(worker())
  expect(await alarms()).toBe(0)
  expect(await named()).toEqual([])
})
