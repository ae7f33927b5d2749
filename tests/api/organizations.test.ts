import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { type ApiResponse, callerOf } from '../support/call.ts'
import { makeRandomAddress, makeItem, installFakeChain } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
let chain: ReturnType<typeof installFakeChain>

beforeAll(async () => {
  chain = installFakeChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

const field = ({ status, body }: ApiResponse) => [status, body.code, body.errors[0]?.field]
const patch = (change: object) => api.patch(`/v1/organizations/${mine.id}`, change)

test('a key sees its own organization only', async () => {
  const { body } = await api.get(`/v1/organizations/${mine.id}`)
  expect(body).toEqual({
    id: mine.id,
    name: 'Test gallery',
    payout_address: null,
    payout_warnings: [],
    embed_origins: [],
    locale: null,
    requires_passkeys: false,
    follows_oidc_roles: false,
    brand: { logo_url: null, colour: null, footer: null },
    terms_url: null,
    contact_email: null,
    web_domain: null,
    shows_vitrine: true,
    created_at: expect.any(String),
  })
  expect((await api.get('/v1/organizations')).body).toEqual({
    cursor: null,
    has_more: false,
    results: [body],
    total_results: 1,
  })
  expect((await api.get('/v1/me')).body.organization).toEqual(body)
})

test('name, payout address and embed origins can change; omitted fields stay, null clears', async () => {
  const address = makeRandomAddress()
  const first = await patch({
    name: ' Night gallery ',
    payout_address: address.toLowerCase(),
    embed_origins: ['https://shop.example.com', 'https://shop.example.com/', 'http://localhost:8080'],
  })
  expect(first.body).toMatchObject({
    name: 'Night gallery',
    payout_address: address,
    embed_origins: ['https://shop.example.com', 'http://localhost:8080'],
  })
  expect((await patch({ payout_address: null })).body).toMatchObject({
    name: 'Night gallery',
    payout_address: null,
    embed_origins: ['https://shop.example.com', 'http://localhost:8080'],
  })
  expect((await patch({ embed_origins: [] })).body.embed_origins).toEqual([])
  const audited = await mine.ctx.db.auditEntry.findMany({
    where: { action: 'organization.updated', subjectId: mine.id },
  })
  expect(audited).toHaveLength(3)
})

test('a brand takes an uploaded logo, a colour with enough contrast and a footer; omitted fields stay, null clears', async () => {
  const cid = `bafkrei${'a'.repeat(52)}`
  const logo = `/media/${cid}-thumb.webp`
  expect(field(await patch({ brand: { logo_url: logo } }))).toEqual([422, 'image_invalid', 'brand.logo_url'])
  for (const elsewhere of [
    'https://cdn.example.com/logo.png',
    'http://localhost:3000/v1/items',
    '//evil.example/logo.png',
    'x',
  ])
    expect(field(await patch({ brand: { logo_url: elsewhere } })), elsewhere).toEqual([
      422,
      'image_invalid',
      'brand.logo_url',
    ])
  await mine.ctx.db.mediaFile.create({
    data: { id: newId(), organizationId: mine.id, cid, width: 1, height: 1, bytes: 1 },
  })
  expect(
    (await patch({ brand: { logo_url: logo, colour: '#00594B', footer: ' Harbour Street 1 ' } })).body.brand,
  ).toEqual({ logo_url: `http://localhost:3000${logo}`, colour: '#00594b', footer: 'Harbour Street 1' })
  expect(
    (await patch({ brand: { logo_url: `http://localhost:3000/media/${cid}-original.webp`, footer: null } })).body.brand,
  ).toEqual({ logo_url: `http://localhost:3000${logo}`, colour: '#00594b', footer: null })
  expect((await patch({ brand: null })).body.brand).toEqual({ logo_url: null, colour: null, footer: null })
  for (const bad of [{ colour: 'red' }, { colour: '#7b7b7b' }, { footer: 'x'.repeat(501) }, { footer: 'a\n{{pin}}' }])
    expect((await patch({ brand: bad })).status, JSON.stringify(bad)).toBe(400)
})

test('terms, contact and the line “via Vitrine” can change; null clears', async () => {
  const profile = { terms_url: 'https://shop.example.com/terms', contact_email: 'Hello@Shop.example.com' }
  expect((await patch({ ...profile, shows_vitrine: false })).body).toMatchObject({
    ...profile,
    contact_email: 'hello@shop.example.com',
    shows_vitrine: false,
  })
  expect((await patch({ terms_url: null, contact_email: null, shows_vitrine: true })).body).toMatchObject({
    terms_url: null,
    contact_email: null,
    shows_vitrine: true,
  })
  for (const terms_url of ['http://shop.example.com', 'javascript:alert(1)', 'https://a:b@shop.example.com', 'shop'])
    expect(field(await patch({ terms_url })), terms_url).toEqual([400, 'invalid_request', 'terms_url'])
  expect(field(await patch({ contact_email: 'shop' }))).toEqual([400, 'invalid_request', 'contact_email'])
  for (const web_domain of [
    'shop',
    '127.0.0.1',
    'shop.example.com/x',
    'shop.example.com:8080',
    '-a.example',
    'a..example',
  ])
    expect(field(await patch({ web_domain })), web_domain).toEqual([400, 'invalid_request', 'web_domain'])
})

test('an invalid payout address, the zero address and an invalid embed origin are refused', async () => {
  expect(field(await patch({ payout_address: '0x12' }))).toEqual([400, 'invalid_request', 'payout_address'])
  expect(field(await patch({ payout_address: `0x${'0'.repeat(40)}` }))).toEqual([
    400,
    'invalid_request',
    'payout_address',
  ])
  for (const origin of [
    'http://shop.example.com',
    'shop.example.com',
    'https://shop.example.com/path',
    '*',
    'https://*.shop.example.com',
    'https://my_shop.example.com',
    'https://[::1]',
    "https://a.example;'self'",
    'javascript:alert(1)',
  ])
    expect(field(await patch({ embed_origins: [origin] })), origin).toEqual([400, 'invalid_request', 'embed_origins.0'])
  expect((await api.patch(`/v1/organizations/${newId()}`, { name: 'Theirs' })).status).toBe(404)
})

test('a payout contract missing on a network in use is warned about; a plain address never', async () => {
  const address = makeRandomAddress()
  await makeItem(mine)
  expect((await patch({ payout_address: address })).body.payout_warnings).toEqual([])
  // On another network where the organization has a collection, that address is a contract.
  const here = ports().chains.get(31337)!
  replacePorts({
    chains: new Map([
      [31337, here],
      [5, { ...here, network: { ...here.network, id: 5, name: 'Elsewhere' }, code: async () => '0x60' as const }],
    ]),
  })
  const { collectionId } = await makeItem(mine)
  await mine.ctx.db.collection.update({ where: { id: collectionId }, data: { networkId: 5 } })
  const { body } = await patch({ payout_address: address })
  expect(body.payout_warnings).toEqual([
    {
      network_id: 31337,
      detail: 'The payout address is a contract that is not deployed on Local: funds sent there would be lost.',
    },
  ])
  expect((await api.get(`/v1/organizations/${mine.id}`)).body.payout_warnings).toEqual(body.payout_warnings)
  chain.contracts.set(address, '0x60')
  expect((await patch({ payout_address: address })).body.payout_warnings).toEqual([])
})

test('a payout address to which tokens are burnt is warned about', async () => {
  for (const address of [`0x${'0'.repeat(36)}dEaD`, `0x${'0'.repeat(39)}1`, `0x${'dead'.repeat(10)}`]) {
    const { status, body } = await patch({ payout_address: address })
    expect([status, body.payout_warnings]).toEqual([
      200,
      [
        {
          network_id: expect.any(Number),
          is_burn_address: true,
          detail: expect.stringContaining('Nobody has the key'),
        },
      ],
    ])
    expect((await api.get('/v1/me')).body.organization.payout_warnings).toEqual(body.payout_warnings)
  }
})

test('an organization can be read and changed while a network fails or never answers', async () => {
  const here = ports().chains.get(31337)!
  const address = makeRandomAddress()
  for (const code of [async () => Promise.reject(new Error('down')), () => new Promise<never>(() => undefined)]) {
    replacePorts({ chains: new Map([[31337, { ...here, code }]]) })
    expect(await patch({ payout_address: address })).toMatchObject({
      status: 200,
      body: { payout_address: address, payout_warnings: [] },
    })
    expect((await api.get('/v1/me')).status).toBe(200)
  }
  replacePorts({ chains: new Map([[31337, here]]) })
})
