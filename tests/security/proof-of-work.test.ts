import { createHash } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR, moveClock, resetClock } from '../../lib/core/clock.ts'
import { beginsWithZeroBits } from '../../lib/core/proof-of-work.ts'
import { solveProof } from '../../lib/core/solve-proof.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { proofOfWork } from '../../lib/ports/bot-check/proof-of-work.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { call } from '../support/call.ts'
import { installFakeChain } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { connectCards, FREE_PRICE, makeBuyer, makeListing } from '../support/selling.ts'

const CLIENT = '192.0.2.1'
const OTHER = '198.51.100.7'
const PROOF_REQUIRED = [422, 'proof_required']
const CREATED = [201, undefined]

const asBuilt = ports().botCheck
let organization: TestOrganization

beforeAll(async () => {
  installFakeChain()
  organization = await makeOrganization()
  await connectCards(organization)
  replacePorts({ botCheck: proofOfWork(2) })
})
beforeEach(resetClock)
afterEach(async () => {
  resetClock()
  expect(await verifyRecords(systemContext('test'))).toEqual([])
})

const editionOf = (units: number, more: object = {}) =>
  makeListing(organization, {
    item: { tokenType: 'ERC1155', maxSupply: BigInt(units) },
    quantity_listed: units,
    ...more,
  })
const freeByMail = { ...FREE_PRICE, payment_providers: ['EMAIL_CLAIM'] }

/** Sends the contract's plain body, as a client at this address. */
const create = (listing: { id: string }, client: string, proof?: string) =>
  call('POST', '/public/v1/purchase-intents', {
    body: { buyer: makeBuyer(), listing_id: listing.id, ...(proof && { proof }) },
    headers: { 'x-client-address': client },
  })
const outcome = async (answer: ReturnType<typeof create>) => {
  const { status, body } = await answer
  return [status, body.code]
}
const challengeFor = async (listing: { id: string }, client: string) =>
  (await call('GET', `/public/v1/listings/${listing.id}/challenge`, { headers: { 'x-client-address': client } })).body
async function prove(listing: { id: string }, client: string): Promise<string> {
  const { challenge, difficulty } = await challengeFor(listing, client)
  return solveProof(challenge, difficulty)
}

describe('a proof is asked for under pressure only', () => {
  test('a free purchase by email is made with the contract’s plain body', async () => {
    const listing = await editionOf(4, freeByMail)
    for (const client of [CLIENT, OTHER, '2001:db8::1', '203.0.113.9'])
      expect(await outcome(create(listing, client))).toEqual(CREATED)
  })

  test('while over half of the units are unpaid, a client’s first purchase needs none, and its second one', async () => {
    const listing = await editionOf(5)
    for (const client of [CLIENT, OTHER, '203.0.113.9']) expect(await outcome(create(listing, client))).toEqual(CREATED)
    expect(await challengeFor(listing, '203.0.113.10')).toMatchObject({ required: false })
    expect(await outcome(create(listing, '203.0.113.10'))).toEqual(CREATED)
    expect(await challengeFor(listing, CLIENT)).toMatchObject({ required: true })
    expect(await outcome(create(listing, CLIENT))).toEqual(PROOF_REQUIRED)
    expect(await outcome(create(listing, CLIENT, await prove(listing, CLIENT)))).toEqual(CREATED)
  })

  test('unopened claims press like unpaid purchases, opened ones don’t', async () => {
    const listing = await editionOf(6, freeByMail)
    for (const client of [CLIENT, OTHER, '203.0.113.8', '203.0.113.9'])
      expect(await outcome(create(listing, client))).toEqual(CREATED)
    expect(await outcome(create(listing, CLIENT))).toEqual(PROOF_REQUIRED)
    await organization.ctx.db.emailClaim.updateMany({
      where: { purchaseIntent: { listingId: listing.id } },
      data: { openedAt: new Date() },
    })
    expect(await outcome(create(listing, CLIENT))).toEqual(CREATED)
  })

  test('a client that comes more often than usual is asked, with all of its IPv6 network, for an hour', async () => {
    const listing = await editionOf(40, freeByMail)
    for (let at = 1; at <= 10; at++) expect(await outcome(create(listing, `2001:db8:1:2::${at}`))).toEqual(CREATED)
    expect(await outcome(create(listing, '2001:db8:1:2:ffff::1'))).toEqual(PROOF_REQUIRED)
    expect(await outcome(create(listing, '2001:db8:1:3::1'))).toEqual(CREATED)
    moveClock(61 * 60_000)
    expect(await outcome(create(listing, '2001:db8:1:2:ffff::1'))).toEqual(CREATED)
  })

  test('of thirty requests of one client at once, as many pass without a proof as one after another', async () => {
    const listing = await editionOf(100, freeByMail)
    const answers = await Promise.all(Array.from({ length: 30 }, () => outcome(create(listing, CLIENT))))
    expect(answers.filter(([status]) => status === 201)).toHaveLength(10)
    expect(answers.filter(([, code]) => code === 'proof_required')).toHaveLength(20)
  })

  test('of nine card purchases of one client at once, as many need no proof as one after another', async () => {
    const listing = await editionOf(10)
    const answers = await Promise.all(Array.from({ length: 9 }, () => outcome(create(listing, CLIENT))))
    expect(answers.filter(([status]) => status === 201)).toHaveLength(6)
    expect(answers.filter(([, code]) => code === 'proof_required')).toHaveLength(3)
  })

  test('where the seller asks for it, a first purchase needs a proof too', async () => {
    const listing = await editionOf(5, { proof_of_work: true })
    expect(await outcome(create(listing, CLIENT))).toEqual(PROOF_REQUIRED)
    expect(await outcome(create(listing, CLIENT, await prove(listing, CLIENT)))).toEqual(CREATED)
  })
})

describe('a challenge', () => {
  test('is for its listing and its client, and for half an hour', async () => {
    const [listing, other] = [await editionOf(5, { proof_of_work: true }), await editionOf(5, { proof_of_work: true })]
    const client = '192.0.2.20'
    const proof = await prove(listing, client)
    expect(await outcome(create(other, client, proof))).toEqual(PROOF_REQUIRED)
    expect(await outcome(create(listing, OTHER, proof))).toEqual(PROOF_REQUIRED)
    moveClock(31 * 60_000)
    expect(await outcome(create(listing, client, proof))).toEqual(PROOF_REQUIRED)
    resetClock()
    expect(await outcome(create(listing, client, proof))).toEqual(CREATED)
  })

  test('is good for one purchase, however many proofs of it there are and however they are written', async () => {
    const listing = await editionOf(9, { proof_of_work: true })
    const client = '192.0.2.21'
    // Without the first step's growth: later proofs would be refused as too easy anyway.
    replacePorts({
      botCheck: {
        ...proofOfWork(2),
        accept: (subject, ...rest) => proofOfWork(2).accept({ ...subject, earlier: 0 }, ...rest),
      },
    })
    const { challenge, difficulty } = await challengeFor(listing, client)
    const isSolved = (proof: string) => beginsWithZeroBits(createHash('sha256').update(proof).digest(), difficulty)
    const proofs: string[] = []
    for (let at = 0; proofs.length < 3; at++) {
      const [bits, expires, salt, mac] = challenge.split('.')
      const written = [challenge, `${bits}.${expires}.${salt}.${mac}=`, `${bits}.${expires}.${salt}.${mac}!`][
        proofs.length
      ]!
      const proof = `${written}.${at.toString(36)}`
      if (isSolved(proof)) proofs.push(proof)
    }
    const answers = await Promise.all(proofs.map((proof) => outcome(create(listing, client, proof))))
    replacePorts({ botCheck: proofOfWork(2) })
    expect(answers.sort()).toEqual([CREATED, PROOF_REQUIRED, PROOF_REQUIRED])
  })

  test('is twice as hard with each proof of the client’s network, up to the tenth', async () => {
    const listing = await editionOf(40, { proof_of_work: true })
    const difficulties: number[] = []
    for (let at = 0; at < 12; at++) {
      const client = `2001:db8:9:9::${at + 1}`
      const { challenge, difficulty } = await challengeFor(listing, client)
      difficulties.push(difficulty)
      if (at < 10)
        expect(await outcome(create(listing, client, await solveProof(challenge, difficulty)))).toEqual(CREATED)
    }
    expect(difficulties).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 11])
    expect((await challengeFor(listing, OTHER)).difficulty).toBe(2)
    moveClock(25 * HOUR * 1000)
    expect((await challengeFor(listing, '2001:db8:9:9::1')).difficulty).toBe(2)
  })

  test('that was fetched while it was easy is refused once the next one is harder', async () => {
    const listing = await editionOf(9, { proof_of_work: true })
    const client = '192.0.2.22'
    const stored = [await prove(listing, client), await prove(listing, client), await prove(listing, client)]
    const answers = await Promise.all(stored.map((proof) => outcome(create(listing, client, proof))))
    expect(answers.sort()).toEqual([CREATED, PROOF_REQUIRED, PROOF_REQUIRED])
  })

  test('asks 2^17 hashes of a client’s first request and 2^26 of its tenth', () => {
    const subject = { listingId: 'x', client: CLIENT, earlier: 0 }
    expect(asBuilt.challenge(subject, new Date()).difficulty).toBe(17)
    expect(asBuilt.challenge({ ...subject, earlier: 9 }, new Date()).difficulty).toBe(26)
  })
})
