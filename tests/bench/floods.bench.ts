import { beforeAll, expect, test, vi } from 'vitest'

// All buyers come from one client here, so the limits on open purchases are off.
vi.hoisted(() => Object.assign(process.env, { OPEN_INTENTS_PER_BUYER: '0', OPEN_INTENTS_PER_CLIENT: '0' }))

import { call } from '../support/call.ts'
import { makeRandomAddress, installFakeChain } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { buy, connectCards, FREE_PRICE, makeListing } from '../support/selling.ts'

const BUYERS = 1000
let organization: TestOrganization

beforeAll(async () => {
  installFakeChain()
  organization = await makeOrganization()
  await connectCards(organization)
})

const edition = (units: number) => ({
  item: { tokenType: 'ERC1155' as const, maxSupply: BigInt(units) },
  quantity_listed: units,
})

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** Compares purchases with as many concurrent reads of the same listing. */
test.each([
  [
    'free to an address',
    { ...FREE_PRICE, payment_providers: ['BETA_FREE_MINT'] },
    () => ({ eth_address: makeRandomAddress() }),
  ],
  ['by card', {}, () => ({ email: `${crypto.randomUUID()}@example.com` })],
])('1,000 buyers at once make 100 purchases of 100 units (%s)', async (way, terms, makeBuyer) => {
  const listing = await makeListing(organization, { ...edition(100), ...terms })
  const read = () => call('GET', `/public/v1/listings/${listing.id}`)
  await read()
  const reading = await secondsOf(() => Promise.all(Array.from({ length: BUYERS }, read)))
  let sold = 0
  const buying = await secondsOf(async () => {
    const answers = await Promise.all(Array.from({ length: BUYERS }, () => buy(listing.id, { buyer: makeBuyer() })))
    sold = answers.filter(({ status }) => status === 201).length
  })
  expect(sold).toBe(100)
  console.log(
    `${way}: ${BUYERS} buyers ${buying.toFixed(1)} s, ${BUYERS} reads ${reading.toFixed(1)} s, ratio ${(buying / reading).toFixed(1)}`,
  )
})
