import { setTimeout as wait } from 'node:timers/promises'
import type { Address } from 'viem'
import { sepolia } from 'viem/chains'
import { newId } from '../../../lib/core/id.ts'
import { callerOf } from '../../support/call.ts'
import { makeRandomAddress } from '../../support/claims.ts'
import { makeCollection, makeItems } from '../../support/collections.ts'
import { makeOrganization } from '../../support/organization.ts'
import { connectCards, FREE_PRICE, makeListing, pay } from '../../support/selling.ts'
import { until } from '../matrix/stage.ts'
import type { World } from './world.ts'

/** How long each of them rests between two things. */
const REST_MS = { buyer: 1_000, recipient: 1_000, admin: 1_500, stranger: 500 }
const UNITS = 1_000_000
const CONFIRMATIONS = 32

type Bought = { id: string; secret: string; owner: Address; isCard: boolean }

/** Something to sell and to give, and people who come for it until `stop`. */
export async function startActors(world: World, random: () => number) {
  const organization = await makeOrganization()
  const { db } = organization.ctx
  const { key } = organization
  const api = callerOf(key)
  const account = await connectCards(organization)
  const deploy = async (variant: 'ERC721' | 'ERC1155') => {
    const id = await makeCollection(api, {
      deployment_request: { network_id: sepolia.id, platform: { symbol: 'SOAK', variant } },
    })
    const contract = await until('The deployment', async () => {
      await world.chain.node.mine({ blocks: CONFIRMATIONS })
      await wait(1_000)
      const row = await db.collection.findFirstOrThrow({ where: { id } })
      return row.deploymentStatus === 'SUCCESS' && (row.contractAddress as Address)
    })
    return { id, contract }
  }
  const editions = await deploy('ERC1155')
  const singles = await deploy('ERC721')
  const [edition, sold] = await makeItems(api, editions.id, 2, { max_supply: UNITS })
  const free = await makeListing(organization, {
    ...FREE_PRICE,
    item_id: sold,
    quantity_listed: UNITS / 2,
    payment_providers: ['BETA_FREE_MINT'],
  })
  const byCard = await makeListing(organization, { item_id: sold, quantity_listed: UNITS / 2 })

  const bought: Bought[] = []
  const claims: { email: string; path: string }[] = []
  const redeemed: Address[] = []
  const minted: Address[] = []
  const surprises: string[] = []
  let isOver = false

  const expectStatus = (what: string, { status, body }: { status: number; body: unknown }, allowed: number[]) => {
    if (!allowed.includes(status)) surprises.push(`${what}: ${status} ${JSON.stringify(body)}`)
    return allowed.includes(status)
  }

  async function buyer(): Promise<void> {
    const isCard = random() < 0.4
    const owner = makeRandomAddress()
    const body = { listing_id: isCard ? byCard.id : free.id, buyer: { eth_address: owner } }
    const answer = await world.request('POST', '/public/v1/purchase-intents', { body })
    if (!expectStatus('A purchase', answer, [201])) return
    const { id, secret, data } = answer.body
    bought.push({ id, secret, owner, isCard })
    if (!isCard) return
    if (random() < 0.2) {
      const ended = await world.request('DELETE', `/public/v1/purchase-intents/${id}?secret=${secret}`)
      return void expectStatus('A purchase that is given up', ended, [204, 409])
    }
    // Some buyers never pay.
    if (random() < 0.1) return
    await until('The payment', async () => {
      const { body: paid } = await pay(data)
      return paid.status === 'succeeded' || paid.error?.payment_intent?.status === 'succeeded'
    })
  }

  async function recipient(): Promise<void> {
    const claim = claims.shift()
    if (!claim) return
    const sent = await world.request('POST', `${claim.path}/verify`)
    if (!expectStatus('A PIN', sent, [201])) return
    const pin = await until('The PIN', async () => {
      await wait(200)
      return world.mailbox.mailsTo(claim.email).flatMap(({ subject }) => /^(\d{6}) /.exec(subject ?? '')?.[1] ?? [])[0]
    })
    const address = makeRandomAddress()
    if (random() < 0.2) {
      const wrong = pin === '000000' ? '000001' : '000000'
      const refused = await world.request('POST', `${claim.path}/redeem`, { body: { pin: wrong, address } })
      expectStatus('A wrong PIN', refused, [403, 422, 400, 409])
    }
    const answer = await world.request('POST', `${claim.path}/redeem`, { body: { pin, address } })
    // An earlier try may have been committed, and its answer lost.
    if (answer.body?.code === 'claim_already_claimed' || expectStatus('A redemption', answer, [201]))
      redeemed.push(address)
  }

  async function admin(): Promise<void> {
    const email = `${newId()}@example.com`
    const given = await world.request('POST', '/v1/email-claims', { key, body: { email, item_id: edition } })
    if (expectStatus('A claim', given, [201]))
      claims.push({ email, path: `/public/v1/email-claims/${given.body.claim_url.split('/').at(-1)}` })
    if (random() < 0.3) {
      const items = [{ collection_id: singles.id, attributes: { title: 'A single' } }]
      const made = await world.request('POST', '/v1/items/bulk', { key, body: { items } })
      if (!expectStatus('An item', made, [201])) return
      const { item_ids } = made.body
      if (!expectStatus('A lock', await world.request('POST', '/v1/items/lock', { key, body: { item_ids } }), [201]))
        return
      const to_address = makeRandomAddress()
      const mint = await world.request('POST', '/v1/mint-requests', { key, body: { item_ids, to_address } })
      if (expectStatus('A mint', mint, [201])) minted.push(to_address)
    }
    if (random() < 0.2) {
      const paid = bought.filter(({ isCard }) => isCard)
      const one = paid[Math.floor(random() * paid.length)]
      // What isn't paid, is refunded or is just being delivered is refused.
      if (one)
        expectStatus(
          'A refund',
          await world.request('POST', `/v1/purchase-intents/${one.id}/refund`, { key, body: {} }),
          [200, 409],
        )
    }
    expectStatus('A list', await world.request('GET', '/v1/purchase-intents', { key }), [200])
    if (random() < 0.1) expectStatus('A file', await world.request('GET', '/v1/exports/claims.csv', { key }), [200])
  }

  const STRANGE: (() => Promise<void>)[] = [
    async () => void expectStatus('A listing', await world.request('GET', `/public/v1/listings/${free.id}`), [200]),
    async () =>
      void expectStatus(
        'Collections',
        await world.request('GET', `/public/v1/collections?organization_id=${organization.id}`),
        [200],
      ),
    async () =>
      void expectStatus(
        'An unknown purchase',
        await world.request('GET', `/public/v1/purchase-intents/${newId()}?secret=${newId()}`),
        [404],
      ),
    async () =>
      void expectStatus('A wrong key', await world.request('GET', '/v1/items', { key: 'vk_test_nobody' }), [401]),
    async () =>
      void expectStatus(
        'A malformed purchase',
        await world.request('POST', '/public/v1/purchase-intents', { body: { listing_id: 'x' } }),
        [400, 422],
      ),
    async () =>
      void expectStatus(
        'An unknown claim',
        await world.request('POST', `/public/v1/email-claims/${newId()}/redeem`, { body: { pin: '123456' } }),
        [404],
      ),
  ]
  const stranger = () => STRANGE[Math.floor(random() * STRANGE.length)]!()

  const repeated = async (name: keyof typeof REST_MS, act: () => Promise<void>): Promise<void> => {
    while (!isOver) {
      await act().catch((error: Error) => surprises.push(`${name}: ${error.message}`))
      await wait(REST_MS[name])
    }
  }
  const people = Promise.all([
    repeated('buyer', buyer),
    repeated('buyer', buyer),
    repeated('recipient', recipient),
    repeated('recipient', recipient),
    repeated('admin', admin),
    repeated('stranger', stranger),
  ])
  return {
    organization,
    account,
    editions,
    singles,
    bought,
    redeemed,
    minted,
    surprises,
    stop: async () => {
      isOver = true
      await people
    },
  }
}
