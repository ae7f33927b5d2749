import { randomBytes, randomUUID } from 'node:crypto'
import { getAddress } from 'viem'
import type { Load } from './load.ts'
import type { Question } from './peers/peer.ts'
import type { Seeded } from './seed.ts'
import type { Stack } from './sides.ts'

type Requests = Load['requests']

/**
 * One row of the table: the same question to each side, and the least that Vitrine reaches of the bare server's rate.
 */
export type Case = {
  name: string
  /** Share of the bare server's rate, in percent. */
  atLeast: number
  vitrine: Requests
  bare: Requests
  next?: Requests
  /** What other shops are asked. */
  peers?: Question
  /** The answer of Vitrine; any other fails the run. */
  expected: number
  /**
   * Some requests may be told to come again later (503), since the worker locks what is sold, too. They count as no
   * answer.
   */
  mayBeUnavailable?: boolean
  /** As many requests instead of a time: what is used up, or kept after the first time. */
  amount?: number
  /** The worker stands still, since the bare server has none. */
  withoutWorker?: boolean
  /** Before each round. */
  prepare?: () => Promise<void>
  /** Writes are made anew for each round. */
  refresh?: () => Promise<{ vitrine: Requests; bare: Requests }> | { vitrine: Requests; bare: Requests }
}

/** A case whose requests are each sent once, without the worker. */
const written = (
  { name, atLeast }: Pick<Case, 'name' | 'atLeast'>,
  vitrine: () => Requests[number],
  bare: () => Requests[number],
): Case => {
  const refresh = () => ({ vitrine: times(WRITES, vitrine), bare: times(WRITES, bare) })
  return { name, atLeast, expected: 201, amount: WRITES, withoutWorker: true, ...refresh(), refresh }
}

const get = (path: string, headers: Record<string, string> = {}): Requests[number] => ({ method: 'GET', path, headers })
const post = (path: string, body: object, headers: Record<string, string> = {}): Requests[number] => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)
const newMailbox = () => `${randomUUID()}@example.com`
const newAddress = () => getAddress(`0x${randomBytes(20).toString('hex')}`)

const buy = (listing: string) =>
  post(
    '/public/v1/purchase-intents',
    { listing_id: listing, buyer: { eth_address: newAddress() } },
    { 'idempotency-key': randomUUID() },
  )

const bareBuy = (body: object) => post('/buy', { ...body, address: newAddress() }, { 'idempotency-key': randomUUID() })

/** Writes of one round; each is sent once, so that no key or buyer comes again. */
export const WRITES = 2_000

export async function casesOf(
  stack: Stack,
  { items, collections, big, edition }: Seeded,
  { touch, redemptions }: { touch: () => Promise<void>; redemptions: Case['refresh'] },
): Promise<Case[]> {
  const key = { authorization: `Bearer ${stack.api_key}` }
  const one = items.map((id) => get(`/one/${id}`))
  const known = await Promise.all(
    items.map(async (id) => {
      const path = `/public/v1/items/${id}`
      const { headers } = await fetch(`${stack.origin}${path}`)
      return get(path, { 'if-none-match': headers.get('etag') ?? '' })
    }),
  )
  const lists = collections.map((id) => get(`/public/v1/items?collection_ids=${id}&limit=100`))
  const bareLists = collections.map((id) => get(`/list/${id}`))
  const token = stack.demo.claim_url.split('/').at(-1)!
  const listing = edition.free
  const reads = { expected: 200, bare: one }
  return [
    {
      ...reads,
      name: 'an item',
      atLeast: 65,
      vitrine: items.map((id) => get(`/public/v1/items/${id}`)),
      next: one,
      peers: 'item',
    },
    {
      ...reads,
      name: 'a listing',
      atLeast: 65,
      vitrine: [get(`/public/v1/listings/${listing}`)],
      bare: [get(`/listing/${listing}`)],
    },
    {
      ...reads,
      name: 'a collection',
      atLeast: 65,
      vitrine: [get(`/public/v1/collections/${big}`)],
      bare: [get(`/collection/${big}`)],
    },
    { ...reads, name: 'an item that the client has', atLeast: 100, vitrine: known, expected: 304 },
    {
      ...reads,
      name: 'a list of 100 again',
      atLeast: 300,
      vitrine: lists.slice(0, 20),
      bare: bareLists.slice(0, 20),
      peers: 'list',
    },
    {
      ...reads,
      name: 'a list of 100 the first time',
      atLeast: 60,
      vitrine: lists,
      bare: bareLists,
      amount: lists.length,
      prepare: touch,
    },
    {
      ...reads,
      name: 'an item’s history',
      atLeast: 40,
      vitrine: items.map((id) => get(`/public/v1/items/${id}/history`)),
    },
    {
      ...reads,
      name: 'an item’s owners',
      atLeast: 40,
      vitrine: items.map((id) => get(`/public/v1/items/${id}/owners`)),
    },
    {
      ...reads,
      name: 'a token’s metadata',
      atLeast: 40,
      vitrine: times(300, () => 0).map((_, at) => get(`/public/v1/metadata/${big}/${at + 1}`)),
    },
    {
      ...reads,
      name: 'eligibility',
      atLeast: 40,
      vitrine: [get(`/public/v1/listings/redemption-eligibility?listing_id=${listing}&eth_address=${newAddress()}`)],
    },
    { ...reads, name: 'a claim', atLeast: 40, vitrine: [get(`/public/v1/email-claims/${token}`)] },
    {
      ...reads,
      name: '20 own items, with a key',
      atLeast: 30,
      vitrine: [get('/v1/items?limit=20', key)],
      bare: [get(`/own/${stack.organization_id}`)],
    },
    written(
      { name: 'an item is made', atLeast: 25 },
      () =>
        post(
          '/v1/items',
          { collection_id: big, attributes: { title: 'New' } },
          { ...key, 'idempotency-key': randomUUID() },
        ),
      () => post('/item', { collection_id: big, title: 'New' }),
    ),
    written(
      { name: 'a claim is made', atLeast: 25 },
      () =>
        post(
          '/v1/email-claims',
          { email: newMailbox(), item_id: edition.item },
          { ...key, 'idempotency-key': randomUUID() },
        ),
      () => post('/claim', { item_id: edition.item, email: newMailbox() }),
    ),
    written(
      { name: 'a free unit is bought', atLeast: 60 },
      () => buy(edition.free),
      () => bareBuy({ listing_id: edition.free }),
    ),
    written(
      { name: 'a voucher is taken', atLeast: 60 },
      () => buy(edition.voucher),
      () => bareBuy({ listing_id: edition.voucher, sign: 'yes' }),
    ),
    {
      name: 'a claim is redeemed',
      atLeast: 40,
      expected: 201,
      vitrine: [],
      bare: [],
      amount: WRITES,
      withoutWorker: true,
      ...(redemptions && { refresh: redemptions }),
    },
    {
      ...written(
        { name: 'a free unit is bought while the worker delivers', atLeast: 0 },
        () => buy(edition.free),
        () => bareBuy({ listing_id: edition.free }),
      ),
      withoutWorker: false,
      mayBeUnavailable: true,
    },
    {
      name: 'a purchase is refused: sold out',
      atLeast: 40,
      expected: 409,
      withoutWorker: true,
      vitrine: times(WRITES, () => buy(edition.soldOut)),
      bare: one,
    },
  ]
}
