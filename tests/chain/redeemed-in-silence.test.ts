import type { Address } from 'viem'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { type Chain, ChainUnavailable } from '../../lib/ports/chain/chain.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { catchUpWith } from '../support/indexing.ts'
import { startMailbox, type Mailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection, unitsOf } from '../support/sending.ts'

let local: TestChain
let mailbox: Mailbox
let organization: TestOrganization
const anyone = callerOf()

beforeAll(async () => {
  mailbox = await startMailbox()
  local = await startChain()
  organization = await makeOrganization()
})
beforeEach(resetClock)
afterEach(async () => {
  answer()
  resetClock()
  expect(await verifyRecords(systemContext('test'))).toEqual([])
})

const use = (chain: Chain) => replacePorts({ chains: new Map([[31337, chain]]) })
const answer = () => use(local.chain)
/** Every question to a node fails at once, or is never answered. */
const fallSilent = (how: 'refuses' | 'hangs') =>
  use(
    new Proxy(local.chain, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return () =>
          how === 'refuses' ? Promise.reject(new ChainUnavailable('No node answers.')) : new Promise(() => undefined)
      },
    }) as Chain,
  )

async function send(variant: 'ERC721' | 'ERC1155', tx_payer: 'SELLER' | 'BUYER', items = 1) {
  const onChain = await makeOnChainCollection(organization, local, { variant, items })
  await catchUpWith(local.chain)
  const claims = []
  for (const item_id of onChain.itemIds) {
    const email = `${newId()}@example.com`
    const { status, body } = await onChain.api.post('/v1/email-claims', { email, item_id, tx_payer })
    expect(status, JSON.stringify(body)).toBe(201)
    const path = `/public/v1/email-claims/${body.claim_url.split('/').at(-1)}`
    expect((await anyone.post(`${path}/verify`)).status).toBe(201)
    const pin = await mailbox.pinOf(email)
    claims.push({
      email,
      redeem: (address: string) => anyone.post(`${path}/redeem`, { address, pin }),
      view: async () => (await anyone.get(path)).body,
    })
  }
  return { ...onChain, variant, claims }
}

const spent = (operator: Address) => local.client.getTransactionCount({ address: operator })

describe.each(['ERC721', 'ERC1155'] as const)('%s, while no node answers', (variant) => {
  test.each(['refuses', 'hangs'] as const)(
    'a redemption that the seller pays is taken, and delivered later (%s)',
    async (how) => {
      const { claims, sender, contract } = await send(variant, 'SELLER')
      const to = makeRandomAddress()
      fallSilent(how)
      expect(await claims[0]!.redeem(to)).toMatchObject({ status: 201, body: { status: 'CLAIMED' } })
      expect((await claims[0]!.view()).delivery.state).toBe('QUEUED')
      answer()
      await sender.run()
      expect((await claims[0]!.view()).delivery.state).toBe('CONFIRMED')
      expect(await unitsOf(local, { contract, variant }, { owner: to, tokenId: 1n })).toBe(1n)
      await catchUpWith(local.chain)
    },
  )

  test('a contract that refuses is asked before anything is signed: no gas, the claim reopens, its person is mailed', async () => {
    const { claims, sender, contract } = await send(variant, 'SELLER', 2)
    const [refused, good] = claims
    const to = makeRandomAddress()
    fallSilent('refuses')
    expect((await refused!.redeem(local.contracts.factory)).status).toBe(201)
    expect((await good!.redeem(to)).status).toBe(201)
    answer()
    const before = await spent(local.operator.address)
    const mails = mailbox.mailsTo(refused!.email).length
    await sender.run()

    // One transaction left: that of the other recipient, who was in the same batch.
    expect(await spent(local.operator.address)).toBe(before + 1)
    expect(await unitsOf(local, { contract, variant }, { owner: to, tokenId: 2n })).toBe(1n)
    const mints = await organization.ctx.db.mintRequest.findMany({
      where: { toAddress: local.contracts.factory },
      include: { transaction: true },
    })
    const failure = 'This address belongs to a contract that refuses the item.'
    expect(mints.at(-1)).toMatchObject({ state: 'FAILED', failure, transaction: { state: 'FAILED', gasUsed: null } })
    expect(await refused!.view()).toMatchObject({ is_claimed: false })
    await mailbox.deliver(refused!.email)
    expect(mailbox.mailsTo(refused!.email)).toHaveLength(mails + 1)
    await catchUpWith(local.chain)
  })

  test('a redemption that the recipient pays is refused with 503', async () => {
    const { claims } = await send(variant, 'BUYER')
    fallSilent('refuses')
    expect(await claims[0]!.redeem(makeRandomAddress())).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(await claims[0]!.view()).toMatchObject({ is_claimed: false })
  })
})
