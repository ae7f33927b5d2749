import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { DAY, resetClock } from '../../lib/core/clock.ts'
import { call } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { seedsOf, startLyingNetwork } from '../support/lying-network.ts'
import { makeOrganization } from '../support/organization.ts'
import { makeRedeemableClaims } from '../support/redeemable-claims.ts'
import { makeOnChainCollection, unitsOf } from '../support/sending.ts'
import { sendVoucher } from '../support/vouchers.ts'

vi.setConfig({ testTimeout: 180_000 })

let testChain: TestChain
beforeAll(async () => {
  testChain = await startChain()
})
afterEach(resetClock)

/** Of each collection: claims that we mint, and claims that the recipient mints with a voucher. */
const OURS = 6
const THEIRS = 3

test.each(seedsOf(1, 2))(
  'claims redeemed while all nodes lie and fail, seed %i: each is delivered once, to its recipient, and the books agree',
  async (seed) => {
    const network = await startLyingNetwork(testChain, seed)
    const organization = await makeOrganization()
    const { ctx } = organization
    const promises = []
    for (const variant of ['ERC721', 'ERC1155'] as const) {
      const count = OURS + THEIRS
      const { contract, collectionId, itemIds } = await makeOnChainCollection(organization, testChain, {
        variant,
        ...(variant === 'ERC721' ? { items: count } : { max_supply: count }),
      })
      const items = Array.from({ length: count }, (_, at) => itemIds[at % itemIds.length]!)
      const claims = [
        ...(await makeRedeemableClaims(organization, collectionId, items.slice(0, OURS))),
        ...(await makeRedeemableClaims(organization, collectionId, items.slice(OURS), { txPayer: 'BUYER' })),
      ]
      for (const [at, claim] of claims.entries())
        promises.push({
          ...claim,
          recipient: privateKeyToAccount(generatePrivateKey()),
          token: { contract, variant },
          link: claim.token,
          tokenId: variant === 'ERC721' ? BigInt(at + 1) : 1n,
        })
    }
    network.lie()

    for (const [at, { link, pin, recipient }] of promises.entries()) {
      const { status, body } = await network.insist(() =>
        call('POST', `/public/v1/email-claims/${link}/redeem`, { body: { pin, address: recipient.address } }),
      )
      expect(status, JSON.stringify(body)).toBe(201)
      if (body.voucher) {
        await testChain.node.setBalance({ address: recipient.address, value: parseEther('1') })
        expect((await sendVoucher(testChain, recipient, body.voucher)).status).toBe('success')
      }
      if (at % 2 === 1) await network.work()
    }
    const settle = (txPayer: 'SELLER' | 'BUYER') =>
      network.settle(async () => {
        const open = await ctx.db.emailClaim.findMany({ where: { txPayer, state: { not: 'CLAIMED' } } })
        return open.map(({ id, state }) => `the claim ${id}, paid by the ${txPayer}, is ${state}`)
      })
    await settle('SELLER')
    // A mint that all nodes left out is looked for again when its voucher runs out.
    await testChain.node.increaseTime({ seconds: 8 * DAY })
    await settle('BUYER')

    for (const { token, tokenId, recipient } of promises)
      expect(await unitsOf(testChain, token, { owner: recipient.address, tokenId })).toBe(1n)
    expect(await ctx.db.mintRequest.groupBy({ by: ['state'], _count: true })).toEqual([
      { state: 'COMPLETED', _count: OURS * 2 },
    ])
    expect(await ctx.db.voucher.groupBy({ by: ['state'], _count: true })).toEqual([
      { state: 'REDEEMED', _count: THEIRS * 2 },
    ])
    expect(network.faults()).toBeGreaterThan(20)
    expect(await network.clearUp()).toEqual({ findings: [], alarms: [] })
    for (const { minted, held, maxSupply } of await ctx.db.item.findMany({ where: {} }))
      expect([minted, held]).toEqual([maxSupply, 0n])
  },
)
