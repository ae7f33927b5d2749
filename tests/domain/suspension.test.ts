import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

// All buyers come from one client here, so the limits on open purchases are off.
vi.hoisted(() => Object.assign(process.env, { OPEN_INTENTS_PER_BUYER: '0', OPEN_INTENTS_PER_CLIENT: '0' }))

import { Prisma } from '../../generated/prisma/client.ts'
import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import type { Place } from '../../lib/platform/auth/suspended.ts'
import { DAY, moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { listUndelivered, sumsOf } from '../../lib/data/abuse/undelivered.ts'
import { suspend, unsuspend } from '../../lib/data/abuse/suspend.ts'
import { runImports } from '../../lib/data/imports/run-imports.ts'
import { systemClient } from '../../lib/db/client.ts'
import { isSuspensionRefused } from '../../lib/db/errors.ts'
import { remindClaims } from '../../lib/giving/remind-claims.ts'
import { holdIfSuspended } from '../../lib/messaging/outbox/hold-mail.ts'
import { wipeOldMail } from '../../lib/messaging/outbox/send-mail.ts'
import { runSandboxCards } from '../../lib/ports/sandbox-cards/deliver-events.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { continuePurchases } from '../../lib/selling/purchases/continue-purchases.ts'
import { expirePurchases } from '../../lib/selling/purchases/expire-purchases.ts'
import { call, callerOf } from '../support/call.ts'
import { installFakeChain, makeItem, makeRandomAddress, sendClaim } from '../support/claims.ts'
import { startChain } from '../support/chain.ts'
import { drainJobs as drainNamed, postToCardWebhook } from '../support/card-sales.ts'
import { makeListing as makeFreeListing, makePool } from '../support/listings.ts'
import { startMailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRedeemableClaims } from '../support/redeemable-claims.ts'
import { makeRows } from '../support/rows.ts'
import { buy, connectCards, deliverCardEvents, makeListing, pay, readPurchase } from '../support/selling.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import { countDeadlocks } from '../support/statistics.ts'
import { until } from '../support/until.ts'

const REASON = 'The pictures belong to somebody else.'
const mailbox = await startMailbox()
const worker = () => systemContext('test')
const whole = ({ id }: TestOrganization): Place => ({ organizationId: id, collectionId: null })
const suspendIt = async (place: Place) => expect(await suspend(worker(), place, REASON)).not.toBeNull()
const lift = async (place: Place) => expect(await unsuspend(worker(), place)).not.toBeNull()

const PROMISES = [
  'listings',
  'email_claims',
  'purchase_intents',
  'vouchers',
  'mint_requests',
  'holds',
  'signed_transactions',
]

/** The ids of every row of the organization that promises, sells or mints. */
async function promisesOf({ id }: TestOrganization): Promise<string[]> {
  const all: string[] = []
  for (const table of PROMISES) {
    const rows = await systemClient().$queryRaw<{ id: string }[]>(
      Prisma.sql`SELECT id::text FROM ${Prisma.raw(table)} WHERE organization_id = ${id}::uuid`,
    )
    all.push(...rows.map((row) => `${table} ${row.id}`))
  }
  return all.sort()
}

async function isLockAwaited(): Promise<boolean> {
  const waiting = await systemClient().$queryRaw<unknown[]>(
    Prisma.sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
  )
  return waiting.length > 0
}

let mine: TestOrganization
/** Of the organization that is asked by every write; they are written past the rules. */
let rows: Record<string, string> = {}

async function expectConsistent(): Promise<void> {
  const findings = await verifyRecords(worker())
  expect(findings.filter(({ subject }) => !Object.values(rows).includes(subject))).toEqual([])
}
beforeAll(() => void installFakeChain())
beforeEach(async () => {
  mine = await makeOrganization()
})
afterEach(() => resetClock())
afterAll(async () => expect(await countDeadlocks()).toBe(0))

describe('every write of the API', () => {
  /** Bodies that would promise something, and the answer that they get. */
  const REFUSED: Record<string, (rows: Record<string, string>) => object> = {
    'create-email-claim': ({ free_item_id: item_id }) => ({ email: 'ada@example.com', item_id }),
    'import-email-claims': ({ item_id }) => ({ csv: `email,item_id\nada@example.com,${item_id}\n`, dry_run: false }),
    'create-listing': ({ free_item_id: item_id }) => ({
      item_id,
      quantity_listed: 1,
      price: 0,
      currency: 'ETH',
      payment_providers: ['ORGANIZATION'],
    }),
    'create-mint-requests': ({ free_item_id: item_id }) => ({ item_id, to_address: makeRandomAddress() }),
    'resend-email-claim': () => ({}),
    P15: ({ listing_id }) => ({ listing_id, buyer: { eth_address: makeRandomAddress() } }),
    P4: () => ({ address: makeRandomAddress(), pin: '123456' }),
    P5: () => ({}),
  }
  const writes = endpoints.filter(({ method }) => method !== 'GET')

  /** It would connect the card account that is there already. */
  const SKIPPED = ['create-payment-integration']
  let organization: TestOrganization
  beforeAll(async () => {
    organization = await makeOrganization()
    rows = await makeRows(organization)
    const { itemId } = await makeItem(organization)
    rows.free_item_id = itemId
    await suspendIt(whole(organization))
  })
  const send = ({ id, method, path, auth, example }: Endpoint) => {
    const body = REFUSED[id]?.(rows) ?? example
    return call(
      method,
      path.replace(/\{(\w+)\}/g, (_, name: string) => rows[name]!),
      { ...(auth === 'api_key' && { key: organization.key }), ...(body !== undefined && { body }) },
    )
  }

  test.each(Object.keys(REFUSED))('%s is refused for a suspended organization', async (id) => {
    const { status, body } = await send(writes.find((endpoint) => endpoint.id === id)!)
    expect([status, body.code], JSON.stringify(body)).toEqual([403, 'suspended'])
    expect(body.detail).toBe('This isn’t offered at the moment.')
  })

  test('none of all writes promises, sells or mints anything of a suspended organization', async () => {
    const before = await promisesOf(organization)
    for (const endpoint of writes.filter(({ id }) => !SKIPPED.includes(id))) {
      await send(endpoint)
      const after = await promisesOf(organization)
      expect([endpoint.id, ...after.filter((row) => !before.includes(row))]).toEqual([endpoint.id])
    }
  })

  test('a draft can’t be put on sale, and a listing that is sold elsewhere isn’t touched by another collection’s suspension', async () => {
    const draft = await makeFreeListing(mine, { units: 3n, status: 'DRAFT' })
    const other = await makeFreeListing(mine, { units: 3n })
    const { collectionId } = await mine.ctx.db.listing.findFirstOrThrow({ where: { id: draft.id } })
    await suspendIt({ organizationId: mine.id, collectionId })
    const activate = () => callerOf(mine.key).patch(`/v1/listings/${draft.id}`, { status: 'ACTIVE' })
    expect((await activate()).body.code).toBe('suspended')
    expect((await buy(other.id, { buyer: { eth_address: makeRandomAddress() } })).status).toBe(201)
    await lift({ organizationId: mine.id, collectionId })
    expect((await activate()).status).toBe(200)
  })

  test('the database refuses a row that promises, whoever writes it', async () => {
    const { collectionId, itemId } = await makeItem(mine)
    await suspendIt(whole(mine))
    const hold = {
      id: newId(),
      organizationId: mine.id,
      collectionId,
      itemId,
      holderType: 'CLAIM' as const,
      holderId: newId(),
      quantity: 1n,
    }
    for (const { db } of [mine.ctx, worker()]) {
      const refusal = await db.hold.create({ data: hold }).catch((error: unknown) => error)
      expect(isSuspensionRefused(refusal)).toBe(true)
    }
  })
})

describe('suspending', () => {
  test('is recorded, told to subscribers and mailed to the owners with the reason; a second time changes nothing', async () => {
    await suspendIt(whole(mine))
    expect(await suspend(worker(), whole(mine), 'Another reason.')).toBeNull()
    await mailbox.deliver(mine.email)
    await lift(whole(mine))
    expect(await unsuspend(worker(), whole(mine))).toBeNull()
    await mailbox.deliver(mine.email)
    const mails = mailbox.mailsTo(mine.email)
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Test gallery was suspended',
      'Test gallery is no longer suspended',
    ])
    expect(mails[0]!.text).toContain(REASON)
    const entries = await mine.ctx.db.auditEntry.findMany({ where: { subjectId: mine.id }, orderBy: { id: 'asc' } })
    expect(entries.map(({ action, actorType }) => [action, actorType])).toEqual([
      ['suspension.started', 'system'],
      ['suspension.ended', 'system'],
    ])
    const events = await mine.ctx.db.event.findMany({ orderBy: { id: 'asc' } })
    expect(events.map(({ type }) => type)).toEqual(['suspension.started', 'suspension.ended'])
  })

  test('the members still read, and the public is told that it isn’t offered, without the reason', async () => {
    const { token } = await sendClaim(mine)
    const listing = await makeFreeListing(mine)
    await suspendIt(whole(mine))
    expect((await callerOf(mine.key).get('/v1/listings')).status).toBe(200)
    const claim = await call('GET', `/public/v1/email-claims/${token}`)
    const offer = await call('GET', `/public/v1/listings/${listing.id}`)
    expect([claim.body.is_active, claim.body.inactive_reason, claim.body.voucher]).toEqual([false, 'SUSPENDED', null])
    expect(claim.body.item.attributes.title).toBeDefined()
    expect(offer.body.suspended).toBe(true)
    expect(JSON.stringify([claim.body, offer.body])).not.toContain(REASON)
    await lift(whole(mine))
    expect((await call('GET', `/public/v1/email-claims/${token}`)).body.inactive_reason).toBeNull()
    expect((await call('GET', `/public/v1/listings/${listing.id}`)).body.suspended).toBe(false)
  })

  test('a claim’s mail is held, however long it takes, and sent afterwards; nobody is reminded meanwhile', async () => {
    const { email } = await sendClaim(mine, { expiration: new Date(Date.now() + 20 * DAY * 1000) })
    await suspendIt(whole(mine))
    await mailbox.deliver(email)
    moveClock(18 * DAY * 1000)
    await wipeOldMail(worker())
    await remindClaims(worker())
    await mailbox.deliver(email)
    expect(mailbox.mailsTo(email)).toEqual([])
    await lift(whole(mine))
    await mailbox.deliver(email)
    expect(mailbox.mailsTo(email)).toHaveLength(1)
  })

  test('a mail that is being held while the suspension is lifted is sent', async () => {
    const { email } = await sendClaim(mine)
    await suspendIt(whole(mine))
    const mail = await systemClient().outboxMessage.findFirstOrThrow({ where: { toEmail: email } })
    let isDone = false
    const holding = await inTransaction(worker(), async (tx) => {
      expect(await unsuspend(tx, whole(mine))).not.toBeNull()
      const begun = holdIfSuspended(worker(), mail).finally(() => (isDone = true))
      await until('The mail waits, or is held', async () => isDone || (await isLockAwaited()))
      return { begun }
    })
    expect(await holding.begun).toBe(false)
    await mailbox.deliver(email)
    expect(mailbox.mailsTo(email)).toHaveLength(1)
  })

  test('an import that makes claims waits and goes on afterwards, and no line of it fails', async () => {
    const { itemId, collectionId } = await makeItem(mine)
    const csv = `email,item_id\nada@example.com,${itemId}\n`
    const { body } = await callerOf(mine.key).post('/v1/email-claims/import', { csv, dry_run: false })
    const place = { organizationId: mine.id, collectionId }
    await suspendIt(place)
    await runImports(worker())
    expect(await mine.ctx.db.import.findFirst({ where: { id: body.id } })).toMatchObject({
      state: 'RUNNING',
      failedCount: 0,
    })
    await lift(place)
    for (let round = 0; round < 2; round++) await runImports(worker())
    expect(await mine.ctx.db.import.findFirst({ where: { id: body.id } })).toMatchObject({
      state: 'COMPLETED',
      doneCount: 1,
    })
  })
})

describe('money', () => {
  const edition = { item: { tokenType: 'ERC1155' as const, maxSupply: 9n }, quantity_listed: 9 }
  /** Enters what the provider reports, and delivers nothing yet. */
  const enterPayments = async () => {
    await runSandboxCards(postToCardWebhook)
    await drainNamed('process-card-event')
  }
  const statusOf = async ({ body }: { body: { id: string; secret: string } }) => (await readPurchase(body)).status

  test('what was paid before is named and waits, can be refunded, and is delivered afterwards', async () => {
    await connectCards(mine)
    const listing = await makeListing(mine, edition)
    const [first, second] = [await buy(listing.id), await buy(listing.id)]
    for (const { body } of [first, second]) await pay(body.data)
    await enterPayments()
    await suspendIt(whole(mine))
    await deliverCardEvents()
    expect([await statusOf(first), await statusOf(second)]).toEqual(['CONFIRMED', 'CONFIRMED'])
    expect(await mine.ctx.db.emailClaim.count()).toBe(0)
    const named = await listUndelivered(worker(), whole(mine))
    expect(named.map(({ id, refundable }) => [id, refundable])).toEqual([
      [first.body.id, true],
      [second.body.id, true],
    ])
    expect(sumsOf(named)).toEqual({ count: 2, sums: [{ currency: 'USD', total: '3998', count: 2 }] })

    await callerOf(mine.key).post(`/v1/purchase-intents/${first.body.id}/refund`, {})
    await deliverCardEvents()
    expect(await statusOf(first)).toBe('REFUNDED')
    expect((await listUndelivered(worker(), whole(mine))).map(({ id }) => id)).toEqual([second.body.id])

    await lift(whole(mine))
    moveClock(60_000)
    await continuePurchases(worker())
    expect((await readPurchase(second.body)).fulfillment_status).toBe('ASSIGNED')
    await expectConsistent()
  })

  test('a purchase that is open can’t be paid any more, and a payment that arrives nevertheless is refunded', async () => {
    await connectCards(mine)
    const listing = await makeListing(mine, edition)
    const [paying, late] = [await buy(listing.id), await buy(listing.id)]
    await suspendIt(whole(mine))
    expect(await readPurchase(paying.body)).toMatchObject({ suspended: true, data: null, status: 'PENDING' })
    await pay(paying.body.data)
    await deliverCardEvents()
    expect(await statusOf(paying)).toBe('REFUNDED')
    // Paid at the provider after its purchase had ended here.
    await mine.ctx.db.purchaseIntent.update({ where: { id: late.body.id }, data: { expiresAt: new Date(0) } })
    await pay(late.body.data)
    await expirePurchases(worker())
    await deliverCardEvents()
    expect(await statusOf(late)).toBe('REFUNDED')
    expect(await listUndelivered(worker(), whole(mine))).toEqual([])
    expect(await mine.ctx.db.emailClaim.count()).toBe(0)
    await lift(whole(mine))
    expect((await buy(listing.id)).status).toBe(201)
    await expectConsistent()
  })
})

describe('races', () => {
  test('20 buyers and 20 recipients while it is suspended: what is promised when that has returned is all there ever is', async () => {
    const listing = await makeFreeListing(mine, { units: 40n, payment_providers: ['BETA_FREE_MINT'] })
    const { collectionId, itemIds } = await makePool(mine, 20)
    const claims = await makeRedeemableClaims(mine, collectionId, itemIds)
    const answers = [
      ...Array.from({ length: 20 }, () => buy(listing.id, { buyer: { eth_address: makeRandomAddress() } })),
      ...claims.map(({ token, pin }) =>
        call('POST', `/public/v1/email-claims/${token}/redeem`, { body: { pin, address: makeRandomAddress() } }),
      ),
    ]
    await Promise.race(answers)
    await suspendIt(whole(mine))
    const promised = await promisesOf(mine)
    const settled = await Promise.all(answers)
    expect(await promisesOf(mine)).toEqual(promised)
    for (const { status, body } of settled) expect([201, 403], JSON.stringify(body)).toContain(status)
    const made = settled.filter(({ status }) => status === 201).length
    expect(made).toBe(promised.filter((row) => row.startsWith('mint_requests')).length)
    await lift(whole(mine))
    const refused = claims[settled.slice(20).findIndex(({ status }) => status === 403)]
    if (refused)
      expect(
        (
          await call('POST', `/public/v1/email-claims/${refused.token}/redeem`, {
            body: { pin: refused.pin, address: makeRandomAddress() },
          })
        ).status,
      ).toBe(201)
    await expectConsistent()
  })
})

describe('the worker', () => {
  test('signs nothing while it is suspended, follows what was signed before, and goes on afterwards', async () => {
    const chain = await startChain()
    try {
      const { collectionId, itemIds, sender, api, contract } = await makeOnChainCollection(mine, chain, { items: 3 })
      const mint = async (item_id: string) => {
        const answer = await api.post('/v1/mint-requests', { item_id, to_address: chain.operator.address })
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      }
      const states = async () =>
        (await mine.ctx.db.mintRequest.findMany({ where: { collectionId }, orderBy: { id: 'asc' } })).map(
          ({ state }) => state,
        )
      await mint(itemIds[0]!)
      await sender.submit()
      await mint(itemIds[1]!)
      await suspendIt(whole(mine))
      await sender.run()
      expect(await states()).toEqual(['COMPLETED', 'WAITING'])
      expect(await systemClient().rowTry.count({ where: { organizationId: mine.id } })).toBe(0)
      await lift(whole(mine))
      moveClock(1000)
      await sender.run()
      expect(await states()).toEqual(['COMPLETED', 'COMPLETED'])
      expect(contract).toBeDefined()
    } finally {
      await chain.stop()
    }
  })
})
