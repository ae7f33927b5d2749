import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ChainUnavailable } from '../../lib/ports/chain/chain.ts'
import type { Names } from '../../lib/ports/names/names.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { callerOf } from '../support/call.ts'
import { installFakeChain, makeRandomAddress, sendClaim, type SentClaim } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

const anyone = callerOf()
const alice = makeRandomAddress()
let organization: TestOrganization
let asked: string[] = []

const namesThat = (addressOf: Names['addressOf']): Names => ({
  addressOf: (name) => {
    asked.push(name)
    return addressOf(name)
  },
})
const ask = ({ token }: SentClaim, name: string) =>
  anyone.post(`/public/v1/email-claims/${token}/recipient-name`, { name })

beforeAll(async () => {
  installFakeChain()
  organization = await makeOrganization()
})
beforeEach(() => {
  asked = []
})
afterEach(() => replacePorts({ names: null }))

test('whoever can redeem a claim learns the address of a name', async () => {
  replacePorts({ names: namesThat((name) => Promise.resolve(name === 'alice.eth' ? alice : null)) })
  const claim = await sendClaim(organization)
  expect((await ask(claim, ' alice.eth ')).body).toEqual({ address: alice })
  expect((await ask(claim, 'bob.eth')).body).toEqual({ address: null })
})

test('without a node of Ethereum no name has an address', async () => {
  const { status, body } = await ask(await sendClaim(organization), 'alice.eth')
  expect([status, body]).toEqual([200, { address: null }])
})

test('a node that doesn’t answer isn’t a name without an address', async () => {
  replacePorts({ names: namesThat(() => Promise.reject(new ChainUnavailable('No node of Ethereum answers.'))) })
  const { status, body } = await ask(await sendClaim(organization), 'alice.eth')
  expect([status, body.code]).toEqual([503, 'unavailable'])
})

test('for a claim that can’t be redeemed nothing is asked', async () => {
  replacePorts({ names: namesThat(() => Promise.resolve(alice)) })
  const claim = await sendClaim(organization)
  expect((await callerOf(organization.key).delete(`/v1/email-claims/${claim.id}`)).status).toBe(204)
  expect((await ask(claim, 'alice.eth')).status).toBe(409)
  expect(asked).toEqual([])
})
