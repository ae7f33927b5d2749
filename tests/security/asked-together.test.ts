import { afterEach, beforeAll, expect, test } from 'vitest'
import { moveClock, now, resetClock, secondsFrom } from '../../lib/core/clock.ts'
import { systemClient } from '../../lib/db/client.ts'
import { asClaimLink, asListing, rowsOfEach } from '../../lib/db/rows-of-each.ts'
import { call as asked } from '../../lib/db/statements.ts'
import { newId } from '../../lib/core/id.ts'
import { claimTokenHash } from '../../lib/platform/auth/authenticate.ts'
import { questions } from '../../lib/platform/http/hot/questions.ts'
import { asOwner } from '../support/as-owner.ts'
import { call } from '../support/call.ts'
import { installFakeChain, makeRandomAddress, sendClaim, type SentClaim } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makeListing } from '../support/listings.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements('A listing is paused by hand.', 'a listing on sale holds what it can still sell')

let mine: TestOrganization
let theirs: TestOrganization
let claim: SentClaim
let theirClaim: SentClaim

beforeAll(async () => {
  installFakeChain()
  ;[mine, theirs] = [await makeOrganization(), await makeOrganization()]
  ;[claim, theirClaim] = [await sendClaim(mine), await sendClaim(theirs)]
})
afterEach(resetClock)

const link = (token: string) => call('GET', `/public/v1/email-claims/${token}`)
const unknown = 'x'.repeat(43)
const eligibility = (listing: { id: string }, address = makeRandomAddress()) =>
  call('GET', `/public/v1/listings/redemption-eligibility?listing_id=${listing.id}&eth_address=${address}`)

test('links of two organizations and an unknown one, asked at once, take one round trip, and each shows its own claim', async () => {
  const tokens = [claim.token, unknown, theirClaim.token, unknown, claim.token]
  const { result, roundTrips } = await countRoundTrips(() => Promise.all(tokens.map(link)))
  expect(roundTrips).toHaveLength(1)
  expect(result.map(({ status }) => status)).toEqual([200, 404, 200, 404, 200])
  const [first, , second, , again] = result.map(({ body }) => body)
  expect([first.organization_id, first.item.id]).toEqual([mine.id, claim.itemId])
  expect([second.organization_id, second.item.id]).toEqual([theirs.id, theirClaim.itemId])
  expect(again).toEqual(first)
})

test('equal questions that wait at the same time are asked once, and a later one is asked anew', async () => {
  const revoked = await sendClaim(mine)
  const { result, roundTrips } = await countRoundTrips(() =>
    Promise.all([revoked.token, revoked.token, claim.token].map(link)),
  )
  expect(roundTrips.join().match(/organization_of_claim_link/g)).toHaveLength(2)
  expect(result.map(({ body }) => body.is_active)).toEqual([true, true, true])
  await asOwner(`UPDATE email_claims SET state = 'REVOKED' WHERE id = '${revoked.id}'`)
  expect((await link(revoked.token)).body).toMatchObject({ is_active: false, inactive_reason: 'REVOKED' })
})

test('a question that names one organization’s link gets no rows of another one', async () => {
  const read = asked({
    name: 'every_claim',
    text: `SELECT organization_id AS "organizationId" FROM email_claims ORDER BY id`,
  })
  const listing = await makeListing(theirs)
  const parts = [
    asClaimLink(claimTokenHash(claim.token)),
    asClaimLink(claimTokenHash(unknown)),
    asListing(listing.id),
    asListing(newId()),
  ]
  const rows = await rowsOfEach(parts.map((as) => ({ as, calls: [read, read] })))
  const seen = rows.map((results) => results.map((found) => [...new Set(found.map((row) => row.organizationId))]))
  expect(seen).toEqual([
    [[mine.id], [mine.id]],
    [[], []],
    [[theirs.id], [theirs.id]],
    [[], []],
  ])
})

test('what is asked together changes nothing', async () => {
  const write = asked({ name: 'revoke_every_claim', text: `UPDATE email_claims SET state = 'REVOKED'` })
  const refused = rowsOfEach([{ as: asClaimLink(claimTokenHash(claim.token)), calls: [write] }])
  await expect(refused).rejects.toMatchObject({ code: '25006' })
})

test('a question that the database refuses fails none that is asked with it', async () => {
  const shared = (by: number) => asked({ name: 'ten_shared', text: 'SELECT 10 / $1::int AS share' }, by)
  const ask = questions(async (keys: readonly [number][]) => {
    const parts = keys.map(([by]) => ({ as: asListing(newId()), calls: [shared(by)] }))
    return (await rowsOfEach(parts)).map(([rows]) => rows![0]!.share)
  })
  const answers = await Promise.allSettled([1, 2, 0, 5, 10].map((by) => ask([by])))
  expect(answers).toMatchObject([
    { value: 10 },
    { value: 5 },
    { reason: { code: '22012' } },
    { value: 2 },
    { value: 1 },
  ])
})

test('only the organizations’ login may ask whose link a token opens', async () => {
  const roles = ['vitrine_app', 'vitrine_public', 'vitrine_system']
  const mayAsk = await systemClient().$queryRawUnsafe(
    `SELECT role FROM unnest('{${roles.join()}}'::text[]) role
     WHERE has_function_privilege(role, 'organization_of_claim_link(bytea)', 'EXECUTE')`,
  )
  expect(mayAsk).toEqual([{ role: 'vitrine_app' }])
})

test('a link shows the listing of its item from the moment it begins until it ends', async () => {
  const edition = await sendClaim(mine, { tokenType: 'ERC1155', maxSupply: 10n })
  const listing = await makeListing(mine, {
    item_id: edition.itemId,
    units: 1n,
    start_time: secondsFrom(now(), 60),
    end_time: secondsFrom(now(), 120),
  })
  const shown = async () => (await link(edition.token)).body.item.listing?.id ?? null
  expect(await shown()).toBeNull()
  moveClock(61_000)
  expect(await shown()).toBe(listing.id)
  moveClock(60_000)
  expect(await shown()).toBeNull()
})

test('a token that is stored but was made by no listed key opens nothing', async () => {
  const token = 'y'.repeat(43)
  const hash = Buffer.from(claimTokenHash(token)).toString('hex')
  await asOwner(`INSERT INTO claim_tokens (hash, organization_id, claim_id, generation)
    VALUES (decode('${hash}', 'hex'), '${theirs.id}', '${theirClaim.id}', 99)`)
  const [forged, issued] = await Promise.all([link(token), link(theirClaim.token)])
  expect([forged.status, forged.body.code, forged.body.item]).toEqual([503, 'unavailable', undefined])
  expect(issued.body.item.id).toBe(theirClaim.itemId)
})

test('a replaced link says only that, beside the new one', async () => {
  const replaced = await sendClaim(mine)
  await asOwner(`UPDATE email_claims SET generation = generation + 1 WHERE id = '${replaced.id}'`)
  const [old, other] = await Promise.all([link(replaced.token), link(claim.token)])
  expect(old.body).toMatchObject({ inactive_reason: 'REPLACED', item: null, email_hint: null })
  expect(other.body.inactive_reason).toBeNull()
})

test('eligibility asked at once at listings of two organizations and at a draft takes one round trip, and each gets its own answer', async () => {
  const buyer = makeRandomAddress()
  const [open, list, draft] = [
    await makeListing(mine),
    await makeListing(theirs, { policy: { type: 'ALLOW_LIST', eth_addresses: [makeRandomAddress()] } }),
    await makeListing(theirs, { status: 'DRAFT' } as object),
  ]
  const { result, roundTrips } = await countRoundTrips(() =>
    Promise.all([open, list, draft, open].map((listing) => eligibility(listing, buyer))),
  )
  expect(roundTrips).toHaveLength(1)
  expect(result.map(({ status }) => status)).toEqual([200, 200, 404, 200])
  expect(result.map(({ body }) => body.is_eligible)).toEqual([true, false, undefined, true])
  await asOwner(`UPDATE listings SET status = 'PAUSED' WHERE id = '${open.id}'`)
  expect((await eligibility(open, buyer)).body).toMatchObject({ is_eligible: false, reason: 'PAUSED' })
})
