import { beforeAll, expect, test } from 'vitest'
import { readClaimFacts } from '../../lib/giving/claim-facts.ts'
import { createClaim } from '../../lib/giving/create-claim.ts'
import { claimsCalls, issuedOf } from '../../lib/giving/issue-claim.ts'
import { suppressAddress } from '../../lib/messaging/email-integrations/suppress-address.ts'
import { organizationContext } from '../../lib/platform/auth/authenticate.ts'
import { type Context, inTransaction } from '../../lib/platform/auth/context.ts'
import { beginIdempotent } from '../../lib/platform/http/idempotency.ts'
import { AppError } from '../../lib/core/errors.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { runIn } from '../../lib/db/organization-transaction.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
})

const edition = (maxSupply = 1_000n) => makeItem(mine, { tokenType: 'ERC1155', maxSupply })
const mailbox = () => `${newId()}@example.com`
const codeOf = (error: unknown) => (error as { code?: string }).code ?? String(error)

test('forty claims asked for at once are written in a few round trips, each with all that belongs to it', async () => {
  const { itemId } = await edition()
  await createClaim(mine.ctx, { email: mailbox(), item_id: itemId })
  const requests = Array.from({ length: 40 }, () => ({ ctx: organizationContext(mine.id, newId()), email: mailbox() }))
  const { result, roundTrips } = await countRoundTrips(() =>
    Promise.all(requests.map(({ ctx, email }) => createClaim(ctx, { email, item_id: itemId }))),
  )
  expect(roundTrips.length, roundTrips.join('\n')).toBeLessThanOrEqual(8)
  expect(result.map(({ email }) => email)).toEqual(requests.map(({ email }) => email))
  const ids = result.map(({ id }) => id)
  const db = systemClient()
  const audits = await db.auditEntry.findMany({ where: { subjectId: { in: ids }, action: 'email_claim.created' } })
  const requestOf = new Map(audits.map(({ subjectId, requestId }) => [subjectId, requestId]))
  expect(ids.map((id) => requestOf.get(id))).toEqual(requests.map(({ ctx }) => ctx.requestId))
  const mails = await db.outboxMessage.findMany({ where: { claimId: { in: ids } } })
  expect(mails.map(({ toEmail, state, nextAt }) => [toEmail, state, nextAt !== null]).sort()).toEqual(
    requests.map(({ email }) => [email, 'PENDING', true]).sort(),
  )
  const counts = [
    await db.hold.count({ where: { holderType: 'CLAIM', holderId: { in: ids }, state: 'HELD', quantity: 1n } }),
    await db.claimToken.count({ where: { claimId: { in: ids } } }),
    await db.event.count({ where: { organizationId: mine.id, type: 'claim.created', key: { in: ids } } }),
  ]
  expect(counts).toEqual([40, 40, 40])
  expect((await db.item.findUniqueOrThrow({ where: { id: itemId } })).held).toBe(41n)
})

test('of claims that are written together those that aren’t possible are refused alone', async () => {
  const { itemId } = await edition(3n)
  const unlocked = await makeItem(mine, { locked: false })
  const foreign = await makeItem(await makeOrganization())
  const bounced = mailbox()
  await suppressAddress(mine.ctx, { email: bounced, reason: 'BOUNCE', detail: 'No such mailbox.' })
  const bodies = [
    { email: mailbox(), item_id: itemId, quantity: 2n },
    { email: mailbox(), item_id: unlocked.itemId },
    { email: mailbox(), item_id: itemId, quantity: 2n },
    { email: mailbox(), item_id: foreign.itemId },
    { email: bounced, item_id: itemId },
    { email: mailbox(), item_id: itemId, campaign_id: newId() },
    { email: mailbox(), item_id: itemId },
    { email: mailbox(), item_id: itemId },
  ]
  const outcomes = await Promise.all(
    bodies.map((body) => createClaim(mine.ctx, body).then(({ quantity }) => quantity, codeOf)),
  )
  // What comes at once is one batch.
  expect(outcomes).toEqual([
    2n,
    'item_not_locked',
    'sold_out',
    'not_found',
    'address_suppressed',
    'not_found',
    1n,
    'sold_out',
  ])
})

test('what a transaction of several claims can’t store fails alone, and the others exist', async () => {
  const { itemId } = await edition()
  const takenOver = {
    statement: { name: 'refuse_this_one', text: "SELECT 1 / (length($1::text) - length('x'))" },
    values: ['x'],
  }
  const all = Array.from({ length: 9 }, (_, at) => ({
    ...organizationContext(mine.id, newId()),
    ...(at === 5 && { storingResult: () => takenOver }),
  }))
  const outcomes = await Promise.allSettled(all.map((ctx) => createClaim(ctx, { email: mailbox(), item_id: itemId })))
  expect(outcomes.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1)
  expect(outcomes[5]!.status).toBe('rejected')
  expect(await systemClient().emailClaim.count({ where: { itemId } })).toBe(8)
  expect((await systemClient().item.findUniqueOrThrow({ where: { id: itemId } })).held).toBe(8n)
})

test('a TEST key’s claim of what is LIVE is refused among those of members', async () => {
  const { itemId, collectionId } = await edition()
  await systemClient().collection.update({ where: { id: collectionId }, data: { mode: 'LIVE', networkId: 1 } })
  const { ctx } = mine
  const key = { ...ctx, actor: { ...ctx.actor, type: 'api_key', mode: 'TEST' } } as typeof ctx
  const outcomes = await Promise.allSettled(
    [ctx, key, ctx].map((own) => createClaim(own, { email: mailbox(), item_id: itemId })),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await systemClient().emailClaim.count({ where: { itemId } })).toBe(2)
})

test('a client that was told meanwhile that the request took too long gets no claim', async () => {
  const { itemId } = await edition()
  const late = new AbortController()
  const asked = [undefined, late.signal, undefined].map((signal) =>
    createClaim({ ...mine.ctx, signal }, { email: mailbox(), item_id: itemId }).then(() => 'made', codeOf),
  )
  late.abort(new AppError('unavailable', 'The request took longer than 30 s.'))
  expect(await Promise.all(asked)).toEqual(['made', 'unavailable', 'made'])
  expect(await systemClient().emailClaim.count({ where: { itemId } })).toBe(2)
})

test('the answers of claims that are written together are stored by one statement', async () => {
  const { itemId } = await edition()
  const keys = Array.from({ length: 9 }, newId)
  const contexts: Context[] = []
  for (const key of keys) {
    const begun = await beginIdempotent('test', key, 'body')
    if (begun.replay) throw new Error('This key is new.')
    contexts.push({ ...mine.ctx, storingResult: () => begun.storing({ status: 201, text: key }) })
  }
  const { roundTrips } = await countRoundTrips(() =>
    Promise.all(contexts.map((ctx) => createClaim(ctx, { email: mailbox(), item_id: itemId }))),
  )
  expect(Math.max(...roundTrips.map((each) => each.split('store_answers(').length - 1))).toBe(1)
  expect(await systemClient().idempotencyRecord.count({ where: { key: { in: keys }, status: 201 } })).toBe(9)
})

test('claims of several collections hold their units in the order of the collections’ ids', async () => {
  const items = [await edition(), await edition(), await edition()]
  const ids = items.map(({ collectionId }) => collectionId).sort()
  const orders = items
    .toSorted((a, b) => (a.collectionId < b.collectionId ? 1 : -1))
    .map(({ itemId, collectionId }) => ({
      itemId,
      collectionId,
      campaignId: null,
      email: mailbox(),
      quantity: 1n,
      txPayer: 'SELLER' as const,
      expiresAt: null,
      createdAt: new Date(),
      hold: 'take' as const,
    }))
  const held = await inTransaction(mine.ctx, async (tx) => {
    const facts = await readClaimFacts(runIn(tx), mine.id, orders, tx.now())
    const issued = orders.map((order) => ({ claim: issuedOf(mine.id, facts, order), takes: true, requestId: 'test' }))
    return (await claimsCalls(tx, facts, issued)).hold
  })
  expect(held.map(({ values: [, collectionId] }) => collectionId)).toEqual(ids)
})
