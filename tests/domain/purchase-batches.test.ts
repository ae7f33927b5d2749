import { setImmediate as begun } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

// All buyers come from one client here, so the limits on open purchases are off.
vi.hoisted(() => Object.assign(process.env, { OPEN_INTENTS_PER_BUYER: '0', OPEN_INTENTS_PER_CLIENT: '0' }))

import { suspend } from '../../lib/data/abuse/suspend.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { authenticate, buyerContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { type Context, withIdempotency } from '../../lib/platform/auth/context.ts'
import { env } from '../../lib/core/env.ts'
import { AppError } from '../../lib/core/errors.ts'
import { newId } from '../../lib/core/id.ts'
import { connectionsOf, systemClient } from '../../lib/db/client.ts'
import { createWebhook } from '../../lib/messaging/webhooks/create-webhook.ts'
import { findOffer, type FoundOffer } from '../../lib/offers/listings/offer.ts'
import { beginIdempotent } from '../../lib/platform/http/idempotency.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import type { PurchaseRequest } from '../../lib/selling/purchases/batches/purchase-request.ts'
import { reserveTogether } from '../../lib/selling/purchases/batches/reserve-together.ts'
import { createPurchase } from '../../lib/selling/purchases/create-purchase.ts'
import { purchaseTermsOf } from '../../lib/selling/purchases/purchase-terms.ts'
import { asOwner } from '../support/as-owner.ts'
import { caller, installFakeChain, makeRandomAddress } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makePool } from '../support/listings.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { FREE_PRICE, makeListing, setPayoutAddress } from '../support/selling.ts'
import { until } from '../support/until.ts'

let organization: TestOrganization
let anyone: Context

beforeAll(async () => {
  installFakeChain()
  organization = await makeOrganization()
  await setPayoutAddress(organization)
  anyone = await authenticate('anonymous', new Request('http://localhost'), {}, caller)
})
afterEach(async () => expect(await verifyRecords(systemContext('test'))).toEqual([]))

const FREE = { ...FREE_PRICE, payment_providers: ['BETA_FREE_MINT'] }
const BY_VOUCHER = { price: 1000, currency: 'ETH', payment_providers: ['MINT_VOUCHER'] }

/** A listing of an edition of so many units. */
async function makeOffer(units: number, terms: object = FREE): Promise<FoundOffer> {
  const { id } = await makeListing(organization, {
    item: { tokenType: 'ERC1155', maxSupply: BigInt(units) },
    quantity_listed: units,
    ...terms,
  })
  return findOffer(anyone, id)
}

type Wish = Pick<Context, 'storingResult' | 'requestKey' | 'signal'> & {
  quantity?: bigint
  buyer?: string
  origin?: string
}
const orderOf = (
  offer: FoundOffer,
  { quantity = 1n, buyer, requestKey, storingResult, origin, signal }: Wish = {},
): PurchaseRequest => ({
  ctx: withIdempotency(buyerContext({ ...anyone, signal }, offer.organizationId), { requestKey, storingResult }),
  terms: purchaseTermsOf(offer, {
    buyer: { eth_address: buyer ?? makeRandomAddress() },
    listing_id: offer.id,
    quantity,
  } as never),
  origin: origin ?? null,
  locale: null,
  proof: null,
  secret: null,
})

/** Buys a unit, and meanwhile lets these orders come, which are the next batch. Says what became of each. */
async function inOneBatch(offer: FoundOffer, wishes: Wish[]): Promise<string[]> {
  const first = reserveTogether(offer, orderOf(offer))
  await begun() // what comes before that is in the first batch
  const [, ...outcomes] = await Promise.allSettled([
    first,
    ...wishes.map((wish) => reserveTogether(offer, orderOf(offer, wish))),
  ])
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value.is : ((outcome.reason as { code?: string }).code ?? 'failed'),
  )
}

const purchasesOf = (offer: FoundOffer) =>
  organization.ctx.db.purchaseIntent.findMany({ where: { listingId: offer.id }, orderBy: { id: 'asc' } })
const listingOf = (offer: FoundOffer) => organization.ctx.db.listing.findFirstOrThrow({ where: { id: offer.id } })

describe('a batch', () => {
  test('sells what is left in the order of arrival', async () => {
    const offer = await makeOffer(6, { ...FREE, max_quantity_per_tx: 5 })
    const wishes = [{ quantity: 2n }, { quantity: 2n }, { quantity: 2n }, { quantity: 1n }, { quantity: 1n }]
    expect(await inOneBatch(offer, wishes)).toEqual(['sold', 'sold', 'sold_out', 'sold', 'sold_out'])
    expect(await listingOf(offer)).toMatchObject({ status: 'COMPLETE', quantityConfirmed: 6n, quantityOpen: 0n })
    const events = await organization.ctx.db.event.findMany({ where: { key: offer.id, type: 'listing.completed' } })
    expect(events.map(({ data }) => (data as any).quantity_confirmed)).toEqual(['6'])
  })

  test('judges the same buyer twice one after the other', async () => {
    const offer = await makeOffer(10, { ...FREE, policy: { max_per_user: 1 } })
    const buyer = makeRandomAddress()
    expect(await inOneBatch(offer, [{ buyer }, {}, { buyer }])).toEqual(['sold', 'sold', 'limit_reached'])
  })

  test('admits only those on the listing’s list', async () => {
    const buyer = makeRandomAddress()
    const offer = await makeOffer(10, { ...FREE, policy: { type: 'ALLOW_LIST', eth_addresses: [buyer] } })
    const [first, ...outcomes] = await Promise.allSettled(
      [{ buyer }, {}, { buyer }].map((wish) => reserveTogether(offer, orderOf(offer, wish))),
    )
    expect([first!, ...outcomes].map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((outcomes[0] as PromiseRejectedResult).reason).toMatchObject({ code: 'not_eligible' })
  })

  test('with an order that the database refuses sells to all others, and writes nothing of that one', async () => {
    const offer = await makeOffer(20)
    const wishes: Wish[] = Array.from({ length: 9 }, (_, at) => (at === 5 ? { origin: 'no\u0000text' } : {}))
    const outcomes = await inOneBatch(offer, wishes)
    expect(outcomes).toEqual(wishes.map((_, at) => (at === 5 ? '22021' : 'sold')))
    expect(await purchasesOf(offer)).toHaveLength(9)
    expect(await listingOf(offer)).toMatchObject({ quantityConfirmed: 9n })
  })

  test('stores the answers by one statement, and sells nothing to a buyer whose key another request took over', async () => {
    const offer = await makeOffer(20)
    const keys = Array.from({ length: 9 }, newId)
    const wishes: Wish[] = []
    for (const key of keys) {
      const begun = await beginIdempotent('test', key, 'body')
      if (begun.replay) throw new Error('This key is new.')
      wishes.push({ storingResult: () => begun.storing({ status: 201, text: key }) })
    }
    const records = systemClient().idempotencyRecord
    await records.updateMany({ where: { key: keys[4]! }, data: { leaseId: newId() } })
    const { result, roundTrips } = await countRoundTrips(() => inOneBatch(offer, wishes))
    expect(result).toEqual(keys.map((_, at) => (at === 4 ? 'VT008' : 'sold')))
    expect(Math.max(...roundTrips.map((each) => each.split('store_answers(').length - 1))).toBe(1)
    expect(await records.count({ where: { key: { in: keys }, status: 201 } })).toBe(8)
    expect(await purchasesOf(offer)).toHaveLength(9)
  })

  test('sells nothing to a buyer who was told meanwhile that the request took too long', async () => {
    const offer = await makeOffer(5)
    const late = new AbortController()
    const outcomes = inOneBatch(offer, [{ signal: late.signal }, {}])
    late.abort(new AppError('unavailable', 'The request took longer than 30 s.'))
    expect(await outcomes).toEqual(['unavailable', 'sold'])
    expect(await purchasesOf(offer)).toHaveLength(2)
  })

  test('that PostgreSQL ends after too long a time fails as a whole, and is not repeated in parts', async () => {
    const offer = await makeOffer(5)
    onTestFinished(() => asOwner('DROP FUNCTION take_too_long CASCADE'))
    await asOwner(`
      CREATE FUNCTION take_too_long() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = '57014'; END $$;
      CREATE TRIGGER take_too_long BEFORE INSERT ON purchase_intents FOR EACH ROW WHEN (NEW.origin = 'slow')
        EXECUTE FUNCTION take_too_long()`)
    expect(await inOneBatch(offer, [{ origin: 'slow' }, {}, {}])).toEqual(['57014', '57014', '57014'])
    expect(await inOneBatch(offer, [{}])).toEqual(['sold'])
  })

  test('of a collection’s listing gives every buyer another item, lowest token ids first', async () => {
    const { collectionId, itemIds } = await makePool(organization, 12)
    const { id } = await makeListing(organization, { collection_id: collectionId, quantity_listed: 12, ...FREE })
    const offer = await findOffer(anyone, id)
    const outcomes = await inOneBatch(
      offer,
      Array.from({ length: 15 }, () => ({})),
    )
    expect(outcomes).toEqual([...Array<string>(11).fill('sold'), ...Array<string>(4).fill('sold_out')])
    const units = await organization.ctx.db.purchaseUnit.findMany({
      where: { intent: { listingId: id } },
      orderBy: { intentId: 'asc' },
    })
    expect(units.map(({ itemId }) => itemId)).toEqual(itemIds)
  })

  test('writes three audit entries, an event, a hold and a mint request of each free purchase', async () => {
    const offer = await makeOffer(10)
    await inOneBatch(offer, [{}, {}])
    for (const { id, status, fulfillmentStatus } of await purchasesOf(offer)) {
      expect([status, fulfillmentStatus]).toEqual(['CONFIRMED', 'ASSIGNED'])
      const entries = await organization.ctx.db.auditEntry.findMany({
        where: { subjectId: id },
        orderBy: { id: 'asc' },
      })
      expect(entries.map(({ action }) => action)).toEqual([
        'purchase_intent.created',
        'purchase_intent.advanced',
        'purchase_intent.advanced',
      ])
      expect(await organization.ctx.db.event.count({ where: { type: 'purchase.confirmed', key: id } })).toBe(1)
      const mint = await organization.ctx.db.mintRequest.findFirstOrThrow({ where: { purchaseIntentId: id } })
      const holds = await organization.ctx.db.hold.findMany({ where: { holderId: { in: [id, mint.id] } } })
      expect(holds.map(({ holderType, state, quantity }) => [holderType, state, quantity])).toEqual([
        ['MINT_REQUEST', 'HELD', 1n],
      ])
    }
  })

  test('of a suspended collection sells nothing, while that of another sells', async () => {
    const [suspended, other] = [await makeOffer(5), await makeOffer(5)]
    await suspend(
      systemContext('test'),
      { organizationId: organization.id, collectionId: suspended.collectionId },
      'Reported.',
    )
    const [refused, sold] = await Promise.all([inOneBatch(suspended, [{}, {}]), inOneBatch(other, [{}, {}])])
    expect([refused, sold]).toEqual([
      ['suspended', 'suspended'],
      ['sold', 'sold'],
    ])
    expect(await purchasesOf(suspended)).toEqual([])
  })
})

test.each([
  ['free', FREE],
  ['voucher', BY_VOUCHER],
])('the same idempotency key twice in one batch makes one purchase and gets the same answer (%s)', async (_, terms) => {
  const offer = await makeOffer(5, terms)
  const requestKey = newId()
  const body = { buyer: { eth_address: makeRandomAddress() }, listing_id: offer.id }
  const buy = () => createPurchase(withIdempotency(anyone, { requestKey }), { body: body as never, query: {} })
  // The first request made it, the second reads it.
  const [made, read] = await Promise.all([buy(), buy()])
  expect(read).toEqual(made)
  expect(await purchasesOf(offer)).toHaveLength(1)
  expect(made.data === null).toBe(terms === FREE)
})

test('a voucher is for the price at which its units are reserved, even when the price changes while it is signed', async () => {
  const offer = await makeOffer(5, BY_VOUCHER)
  const { keys } = ports()
  onTestFinished(() => replacePorts({ keys }))
  let isFirst = true
  replacePorts({
    keys: {
      ...keys,
      signVoucher: async (...terms) => {
        if (isFirst) await organization.ctx.db.listing.updateMany({ where: { id: offer.id }, data: { price: 7000 } })
        isFirst = false
        return keys.signVoucher(...terms)
      },
    },
  })
  const body = { buyer: { eth_address: makeRandomAddress() }, listing_id: offer.id }
  const buyer = await authenticate('anonymous', new Request('http://localhost'), {}, caller)
  const { price, data } = await createPurchase(buyer, { body: body as never, query: {} })
  expect([price, (data as any).voucher.price]).toEqual(['7000', '7000'])
})

test('vouchers are signed while the batch before is written', async () => {
  const offer = await makeOffer(5, BY_VOUCHER)
  const { keys } = ports()
  onTestFinished(() => replacePorts({ keys }))
  const signVoucher = vi.fn(keys.signVoucher)
  replacePorts({ keys: { ...keys, signVoucher } })
  const owner = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
  await owner.connect()
  onTestFinished(() => owner.end())
  await owner.query('BEGIN')
  await owner.query('SELECT 1 FROM listings WHERE id = $1 FOR UPDATE', [offer.id])
  const buyer = await authenticate('anonymous', new Request('http://localhost'), {}, caller)
  const buy = () =>
    createPurchase(buyer, {
      body: { buyer: { eth_address: makeRandomAddress() }, listing_id: offer.id } as never,
      query: {},
    })
  const first = buy()
  await until('The first signature', () => signVoucher.mock.calls.length === 1)
  const second = buy()
  await until('The second signature', () => signVoucher.mock.calls.length === 2)
  await owner.query('ROLLBACK')
  expect((await first).data).not.toEqual((await second).data)
})

test('no voucher is signed for a buyer who was told meanwhile that the request took too long', async () => {
  const offer = await makeOffer(5, BY_VOUCHER)
  const signVoucher = vi.spyOn(anyone.ports.keys, 'signVoucher')
  onTestFinished(() => signVoucher.mockRestore())
  const late = new AbortController()
  const outcomes = inOneBatch(offer, [{ signal: late.signal }, {}])
  late.abort(new AppError('unavailable', 'The request took longer than 30 s.'))
  expect(await outcomes).toEqual(['unavailable', 'sold'])
  expect(signVoucher).toHaveBeenCalledTimes(2)
})

test('a buyer alone costs at most four round trips', async () => {
  const buy = (offer: FoundOffer) => {
    const body = { buyer: { eth_address: makeRandomAddress() }, listing_id: offer.id }
    return createPurchase(anyone, { body: body as never, query: {} })
  }
  for (const [terms, most] of [
    [FREE, 3],
    [BY_VOUCHER, 4],
  ] as const) {
    const offer = await makeOffer(5, terms)
    await buy(offer)
    expect((await countRoundTrips(() => buy(offer))).roundTrips).toHaveLength(most)
  }
  const gone = await makeOffer(1)
  await buy(gone)
  const { roundTrips } = await countRoundTrips(() => buy(gone).catch(({ code }: { code: string }) => code))
  expect(roundTrips).toHaveLength(1)
})

test('a connection that is lost in the middle of a batch has promised nobody anything, and a repeat buys', async () => {
  const offer = await makeOffer(10)
  await createWebhook(organization.ctx, { name: 'Shop', url: 'https://receiver.example/hook' } as never)
  const owner = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
  await owner.connect()
  onTestFinished(() => owner.end())
  await owner.query('BEGIN')
  await owner.query('SELECT 1 FROM webhooks WHERE organization_id = $1 FOR UPDATE', [organization.id])
  // Its events wait for the webhook's row: purchases, holds and mint requests are written and not committed.
  const lost = inOneBatch(offer, [{}, {}])
  const killed = new Set<number>()
  await until('Both batches that wait', async () => {
    const { rows } = await owner.query<{ pid: number }>(
      `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name = 'vitrine_app'`,
    )
    for (const { pid } of rows) killed.add(pid)
    return killed.size === 2
  })
  expect(await lost).toEqual(['57P01', '57P01'])
  expect(await purchasesOf(offer)).toEqual([])
  expect(await listingOf(offer)).toMatchObject({ quantityConfirmed: 0n })
  await owner.query('ROLLBACK')
  expect(await inOneBatch(offer, [{}, {}])).toEqual(['sold', 'sold'])
})

/** The same code with queues and connections of its own, as in another process. */
async function loadAgain(): Promise<typeof reserveTogether> {
  const shared = globalThis as { vitrine?: unknown }
  const own = { vitrine: shared.vitrine }
  delete shared.vitrine
  vi.resetModules()
  const { reserveTogether: again } = await import('../../lib/selling/purchases/batches/reserve-together.ts')
  const { disconnect } = await import('../../lib/db/client.ts')
  Object.assign(shared, own)
  onTestFinished(async () => {
    await disconnect()
    vi.resetModules()
  })
  return again
}

/** Limits the statements of all connections that purchases are reserved on; 0: no longer. */
async function limitStatementsTo(ms: number): Promise<void> {
  const pool = connectionsOf('vitrine_app')
  const all = await Promise.all(Array.from({ length: env.DATABASE_POOL }, () => pool.connect()))
  await Promise.all(all.map((client) => client.query(`SET statement_timeout = ${ms}`)))
  for (const client of all) client.release()
}

test('a batch that waited too long for a lock fails at once, and not order by order', async () => {
  const offer = await makeOffer(10)
  const owner = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
  await owner.connect()
  await owner.query('BEGIN')
  await owner.query('SELECT 1 FROM listings WHERE id = $1 FOR UPDATE', [offer.id])
  await limitStatementsTo(200)
  try {
    const { result, roundTrips } = await countRoundTrips(() => inOneBatch(offer, [{}, {}, {}, {}]))
    expect(result).toEqual(Array(4).fill('57014'))
    expect(roundTrips.filter((text) => text.includes('pg_advisory_xact_lock'))).toHaveLength(2)
  } finally {
    await limitStatementsTo(0)
    await owner.end()
  }
  expect(await inOneBatch(offer, [{}])).toEqual(['sold'])
})

test('200 buyers at two processes for 10 units make 10 purchases, and 190 get sold_out', async () => {
  const offer = await makeOffer(10)
  const processes = [reserveTogether, await loadAgain()]
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, (_, at) => processes[at % 2]!(offer, orderOf(offer))),
  )
  const codes = outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value.is : (outcome.reason as { code: string }).code,
  )
  expect([codes.filter((code) => code === 'sold').length, codes.filter((code) => code === 'sold_out').length]).toEqual([
    10, 190,
  ])
  expect(await purchasesOf(offer)).toHaveLength(10)
})
