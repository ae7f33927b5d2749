import { randomBytes } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { redact } from '../../lib/core/redact.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { raiseAlarm, resolveAlarm } from '../../lib/records/alarms/raise-alarm.ts'
import { ChainUnavailable } from '../../lib/ports/chain/chain.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { callerOf } from '../support/call.ts'
import { installFakeChain, makeItem, makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'

leaveDisagreements('Owners are written by hand, without a log of the chain.', ...MINTS)

const anyone = callerOf()
let organization: TestOrganization

beforeAll(async () => {
  organization = await makeOrganization()
})
afterEach(() => {
  resetClock()
  replacePorts({ names: null })
})

const makeHolder = () => privateKeyToAccount(generatePrivateKey())
const at = (address: string, path: string) => `/public/v1/wallets/${address}${path}`

/** An item of a collection of its own, which the address owns units of. */
async function giveTo(address: string, { quantity = 1, ...stock }: { quantity?: number; isPublic?: boolean } = {}) {
  const { collectionId, itemId } = await makeItem(organization, stock)
  await organization.ctx.db.itemOwner.create({ data: { organizationId: organization.id, itemId, address, quantity } })
  return { collectionId, itemId }
}

async function prove(holder: PrivateKeyAccount, address: string = holder.address, asked: object = {}): Promise<string> {
  const { message, challenge } = (await anyone.post(at(address, '/challenge'), asked)).body
  const signature = await holder.signMessage({ message: message as string })
  const { status, body } = await anyone.post(at(address, '/proof'), { challenge, signature })
  expect([status, body]).toEqual([200, { proof: expect.any(String), expires_at: expect.any(String) }])
  return body.proof as string
}

const listed = async (address: string, query = '') => {
  const { status, body } = await anyone.get(at(address, `/items${query}`))
  expect(status, JSON.stringify(body)).toBe(200)
  return (body.results as { id: string }[]).map(({ id }) => id)
}

test('an address has its items of all collections, newest first, page by page, and no other address’s', async () => {
  const [holder, other] = [makeRandomAddress(), makeRandomAddress()]
  const [first, second, third] = [await giveTo(holder), await giveTo(holder, { quantity: 7 }), await giveTo(holder)]
  await giveTo(other)
  await giveTo(holder, { quantity: 0 })
  const { body } = await anyone.get(at(holder, '/items?limit=2'))
  expect(body).toMatchObject({
    has_more: true,
    total_results: 3,
    results: [
      { id: third.itemId, collection_id: third.collectionId, organization_id: organization.id, is_public: true },
      { id: second.itemId, quantity: 7, token_id: '1', title: 'Moonflower' },
    ],
  })
  expect(await listed(holder, `?limit=2&cursor=${body.cursor}`)).toEqual([first.itemId])
  expect(await listed(holder, '?order_direction=ASC')).toEqual([first.itemId, second.itemId, third.itemId])
  expect(await listed(makeRandomAddress())).toEqual([])
  expect((await anyone.get(at(other, `/items?cursor=${body.cursor}`))).body.code).toBe('invalid_cursor')
})

test('a list names the networks whose latest blocks aren’t entered yet', async () => {
  const holder = makeRandomAddress()
  const late = async () => (await anyone.get(at(holder, '/items'))).body.late_networks
  expect(await late()).toEqual([])
  await raiseAlarm(systemContext(), 'indexing_late', '8453', 'The last block is old.')
  expect(await late()).toEqual([8453])
  await resolveAlarm(systemContext(), 'indexing_late', '8453')
  expect(await late()).toEqual([])
})

test('items of private collections are shown to whoever signed with the address, and to nobody else', async () => {
  const holder = makeHolder()
  const [open, secret] = [await giveTo(holder.address), await giveTo(holder.address, { isPublic: false })]
  const own = (path: string, proof?: string) =>
    anyone.get(at(holder.address, `/items/${secret.itemId}${path}${proof ? `?proof=${proof}` : ''}`))
  expect(await listed(holder.address)).toEqual([open.itemId])
  for (const path of ['', '/history']) expect((await own(path)).status).toBe(404)

  const proof = await prove(holder)
  expect(redact(at(holder.address, `/items?limit=5&proof=${proof}`))).not.toContain(proof)
  expect(await listed(holder.address, `?proof=${proof}`)).toEqual([secret.itemId, open.itemId])
  expect((await own('', proof)).body).toMatchObject({
    id: secret.itemId,
    is_public: false,
    quantity: 1,
    collection: { id: secret.collectionId, reveal: null },
    organization: { id: organization.id, domain: null },
  })
  expect((await own('/history', proof)).body).toMatchObject({ results: [], total_results: 0 })

  // Neither for another address, nor altered, nor later than an hour.
  const other = makeHolder()
  for (const refused of [
    await anyone.get(at(other.address, `/items?proof=${proof}`)),
    await anyone.get(at(holder.address, `/items?proof=${proof.replace(/^\d/, '9')}`)),
    await anyone.get(at(holder.address, '/items?proof=x')),
    await own('', 'x'),
    await own('/history', 'x'),
  ])
    expect([refused.status, refused.body.code]).toEqual([422, 'signature_invalid'])
  // The proof of another address doesn't open the item of this one.
  const theirs = await prove(other)
  expect((await anyone.get(at(other.address, `/items/${secret.itemId}?proof=${theirs}`))).status).toBe(404)
  moveClock(3_600_000)
  expect((await anyone.get(at(holder.address, `/items?proof=${proof}`))).body.code).toBe('signature_invalid')
})

test('only the address itself proves itself, with a text of the last ten minutes that names this site', async () => {
  const [holder, other] = [makeHolder(), makeHolder()]
  const { message, challenge } = (await anyone.post(at(holder.address, '/challenge'), {})).body as Record<
    string,
    string
  >
  expect(message).toMatch(/^localhost\S* wants you to sign in with your Ethereum account:\n0x/)
  expect(message).toContain('This moves nothing.')
  const post = async (signer: PrivateKeyAccount, text = message!, given = challenge!) => {
    const signature = await signer.signMessage({ message: text })
    return (await anyone.post(at(holder.address, '/proof'), { challenge: given, signature })).body.code ?? 'proved'
  }
  expect(await post(other)).toBe('signature_invalid')
  expect(await post(holder, 'Another text')).toBe('signature_invalid')
  expect(await post(holder, message, challenge!.replace(/^\d/, '9'))).toBe('signature_invalid')
  const theirs = (await anyone.post(at(other.address, '/challenge'), {})).body as Record<string, string>
  expect(await post(holder, theirs.message, theirs.challenge)).toBe('signature_invalid')
  expect(await post(holder)).toBe('proved')
  moveClock(600_000)
  expect(await post(holder)).toBe('signature_invalid')
})

test('a wallet that is a contract proves itself on its own network, and there only', async () => {
  const [wallet, key] = [makeRandomAddress(), makeHolder()]
  const secret = await giveTo(wallet, { isPublic: false })
  const elsewhere = await giveTo(wallet, { isPublic: false })
  await organization.ctx.db.collection.update({ where: { id: elsewhere.collectionId }, data: { networkId: 1 } })
  const { chains } = ports()
  onTestFinished(() => replacePorts({ chains }))
  installFakeChain().contracts.set(wallet, `0x1626ba7e${'0'.repeat(56)}`)
  const proof = await prove(key, wallet, { network_id: 31337 })
  expect(await listed(wallet, `?proof=${proof}`)).toEqual([secret.itemId])

  // A challenge without a network asks no contract.
  const { message, challenge } = (await anyone.post(at(wallet, '/challenge'), {})).body as Record<string, string>
  const signature = await key.signMessage({ message: message! })
  expect((await anyone.post(at(wallet, '/proof'), { challenge, signature })).body.code).toBe('signature_invalid')
  expect((await anyone.post(at(wallet, '/challenge'), { network_id: 99 })).status).toBe(404)
})

test('an unrevealed item shows its holder the preview', async () => {
  const holder = makeHolder()
  const { collectionId: id, itemId } = await giveTo(holder.address, { isPublic: false })
  const hidden = { revealStrategy: 'DELAYED' as const, previewMetadata: { title: 'A closed box' } }
  await organization.ctx.db.collection.update({ where: { id }, data: hidden })
  const { body } = await anyone.get(at(holder.address, `/items/${itemId}?proof=${await prove(holder)}`))
  expect(body).toMatchObject({ title: 'A closed box', collection: { reveal: { state: 'HIDDEN' } } })
})

test('anybody learns the address of a name, where names can be looked up now', async () => {
  const alice = makeRandomAddress()
  const ask = async () => (await anyone.post('/public/v1/names', { name: ' alice.eth ' })).body
  expect(await ask()).toEqual({ address: null })
  replacePorts({ names: { addressOf: (name) => Promise.resolve(name === 'alice.eth' ? alice : null) } })
  expect(await ask()).toEqual({ address: alice })
  replacePorts({ names: { addressOf: () => Promise.reject(new ChainUnavailable('No node answers.')) } })
  expect((await ask()).code).toBe('unavailable')
})

const newCopyId = () => randomBytes(32).toString('base64url')
const find = async (copy_id: string) => (await anyone.post('/public/v1/wallet-copies', { copy_id })).body.sealed

test('a passkey’s copy of a wallet’s key is kept for its holder, and found by its id alone', async () => {
  const [holder, other] = [makeHolder(), makeHolder()]
  const keep = async (proof: string, { copy_id = newCopyId(), sealed = 'A'.repeat(80), of = holder.address } = {}) => {
    const { status, body } = await anyone.post(at(of, '/copies'), { proof, copy_id, sealed })
    return status === 204 ? copy_id : body.code
  }
  const proof = await prove(holder)
  // Nothing has arrived in it.
  expect(await keep(proof)).toBe('conflict')
  await giveTo(holder.address, { isPublic: false })
  await giveTo(other.address)
  const id = await keep(proof)
  expect([await find(id), await find(newCopyId())]).toEqual(['A'.repeat(80), null])
  // Its holder may replace it, and nobody else.
  expect(await keep(proof, { copy_id: id, sealed: 'B'.repeat(80) })).toBe(id)
  expect(await keep(await prove(other), { copy_id: id, of: other.address })).toBe('conflict')
  expect(await keep(await prove(other))).toBe('signature_invalid')
  expect(await keep('x')).toBe('signature_invalid')
  expect(await find(id)).toBe('B'.repeat(80))
  for (const wrong of [{ sealed: 'A'.repeat(81) }, { copy_id: 'x' }])
    expect(await keep(proof, wrong)).toBe('invalid_request')
  for (let more = 2; more <= 10; more++) expect(await keep(proof)).toMatch(/^[\w-]{43}$/)
  expect(await keep(proof)).toBe('conflict')
  expect(await keep(proof, { copy_id: id, sealed: 'C'.repeat(80) })).toBe(id)
})

test('copies of a wallet that are saved at the same time are all kept', async () => {
  const holder = makeHolder()
  await giveTo(holder.address)
  const proof = await prove(holder)
  const ids = Array.from({ length: 8 }, newCopyId)
  const save = (copy_id: string) =>
    anyone.post(at(holder.address, '/copies'), { proof, copy_id, sealed: 'A'.repeat(80) })
  const answers = await Promise.all([...ids, ids[0]!].map(save))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204))
  expect(await Promise.all(ids.map(find))).toEqual(ids.map(() => 'A'.repeat(80)))
})

test('a holder lists the passkeys that were added and removes one, with a proof of the last minutes', async () => {
  const [holder, other] = [makeHolder(), makeHolder()]
  await giveTo(holder.address)
  await giveTo(other.address)
  const proof = await prove(holder)
  const keep = async () => {
    const copy_id = newCopyId()
    const { status } = await anyone.post(at(holder.address, '/copies'), { proof, copy_id, sealed: 'A'.repeat(80) })
    return status === 204 ? copy_id : status
  }
  const copies = async (given = proof) =>
    (await anyone.get(at(holder.address, `/copies?proof=${given}`))).body.results?.map(
      ({ copy_id }: { copy_id: string }) => copy_id,
    )
  const remove = async (id: string, given = proof, of = holder.address) => {
    const { status, body } = await anyone.delete(at(of, `/copies/${id}?proof=${given}`))
    return status === 204 ? 'removed' : body.code
  }
  expect(await copies()).toEqual([])
  const [first, second] = [(await keep()) as string, (await keep()) as string]
  expect(await copies()).toEqual([first, second])
  const theirs = await prove(other)
  expect(await copies(theirs)).toBeUndefined()
  expect(await remove(first, theirs)).toBe('signature_invalid')
  expect(await remove(first, theirs, other.address)).toBe('not_found')
  expect(await remove(newCopyId())).toBe('not_found')
  expect(await remove(first)).toBe('removed')
  expect(await remove(first)).toBe('not_found')
  expect([await copies(), await find(first), await find(second)]).toEqual([[second], null, 'A'.repeat(80)])
  // Its place is free again, up to ten.
  for (let more = 2; more <= 10; more++) expect(await keep()).toMatch(/^[\w-]{43}$/)
  expect(await keep()).toBe(409)
  moveClock(301_000)
  expect(await remove(second)).toBe('signature_invalid')
  expect(await remove(second, await prove(holder))).toBe('removed')
})
