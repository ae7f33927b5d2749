import { beforeAll, describe, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { finishDeletions } from '../../lib/messaging/deletions/finish-deletions.ts'
import { newId } from '../../lib/core/id.ts'
import { type ApiResponse, callerOf, code } from '../support/call.ts'
import { makeItem, installFakeChain } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization({ name: 'Museum' })
  api = callerOf(mine.key)
})

const create = (body: object) => api.post('/v1/marketing-campaigns', body)
const fieldOf = ({ status, body }: ApiResponse) => [status, body.errors?.[0]?.field]

describe('marketing campaigns', () => {
  test('a new campaign is signed by the organization unless a sender is given', async () => {
    const made = await create({ name: ' Spring ' })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(String),
      name: 'Spring',
      email_from: 'Museum via Vitrine',
      reminder_days: 3,
      locale: null,
      send_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/),
    })
    expect((await create({ name: newId(), email_from: 'The Museum', reminder_days: 0 })).body).toMatchObject({
      email_from: 'The Museum',
      reminder_days: 0,
    })
    expect((await create({ name: newId(), email_from: null, reminder_days: null })).body).toMatchObject({
      email_from: 'Museum via Vitrine',
      reminder_days: 3,
    })
    expect((await api.get(`/v1/marketing-campaigns/${made.body.id}`)).body).toEqual(made.body)
  })

  test('of eight simultaneous requests with one name one succeeds; another organization may use the name', async () => {
    const name = newId()
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ name })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)])
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({
      code: 'name_taken',
      errors: [{ field: 'name' }],
    })
    expect((await callerOf((await makeOrganization()).key).post('/v1/marketing-campaigns', { name })).status).toBe(201)
    const other = (await create({ name: newId() })).body
    expect(code(await api.patch(`/v1/marketing-campaigns/${other.id}`, { name }))).toEqual([409, 'name_taken'])
  })

  test('a missing, too long or out-of-bounds value is refused with its field', async () => {
    expect(fieldOf(await create({}))).toEqual([400, 'name'])
    expect(fieldOf(await create({ name: '  ' }))).toEqual([400, 'name'])
    expect(fieldOf(await create({ name: 'x'.repeat(256) }))).toEqual([400, 'name'])
    expect(fieldOf(await create({ name: 'x', email_from: 'a\nb' }))).toEqual([400, 'email_from'])
    for (const days of [-1, 61, 1.5])
      expect(fieldOf(await create({ name: 'x', reminder_days: days }))).toEqual([400, 'reminder_days'])
  })

  test('a change affects the given fields only; a null sender restores the default', async () => {
    const { id } = (await create({ name: newId(), email_from: 'The Museum' })).body
    const name = newId()
    expect((await api.patch(`/v1/marketing-campaigns/${id}`, { name, reminder_days: 7 })).body).toMatchObject({
      name,
      email_from: 'The Museum',
      reminder_days: 7,
    })
    expect((await api.patch(`/v1/marketing-campaigns/${id}`, { email_from: null })).body).toMatchObject({
      name,
      email_from: 'Museum via Vitrine',
    })
    const audit = await mine.ctx.db.auditEntry.findMany({ where: { subjectId: id }, orderBy: { id: 'asc' } })
    expect(audit.map(({ action }) => action)).toEqual(['campaign.created', 'campaign.updated', 'campaign.updated'])
  })

  test('an address in the sender must belong to the active email integration', async () => {
    const museum = await makeOrganization()
    const theirs = callerOf(museum.key)
    const label = (email_from: string) => theirs.post('/v1/marketing-campaigns', { name: newId(), email_from })
    expect(fieldOf(await label('Museum <hello@museum.example>'))).toEqual([400, 'email_from'])
    const { id } = await museum.ctx.db.emailIntegration.create({
      data: {
        id: newId(),
        organizationId: museum.id,
        provider: 'MAIL_API',
        config: { domain: 'mg.museum.example', email_from: 'Museum <post@museum.example>' },
        secrets: new Uint8Array(29),
      },
    })
    expect(fieldOf(await label('hello@museum.example')), 'not active yet').toEqual([400, 'email_from'])
    await museum.ctx.db.emailIntegration.update({ where: { id }, data: { status: 'ACTIVE' } })
    for (const good of ['Museum <hello@Museum.Example>', 'hello@museum.example', 'Museum <a@mg.museum.example>'])
      expect((await label(good)).status, good).toBe(201)
    for (const bad of [
      'Museum <hello@museum.example.evil.example>',
      'a@museum.example b@evil.example',
      'hello@evil.example',
      'Meet me @ the museum',
    ])
      expect(fieldOf(await label(bad)), bad).toEqual([400, 'email_from'])
  })

  test('campaigns are listed newest first, up to 1,000 a page, and found by exact name', async () => {
    const museum = await makeOrganization()
    const theirs = callerOf(museum.key)
    for (const name of ['Spring', 'Spring 2', 'spring']) await theirs.post('/v1/marketing-campaigns', { name })
    const names = async (query: string) =>
      (await theirs.get(`/v1/marketing-campaigns?${query}`)).body.results.map(({ name }: { name: string }) => name)
    expect(await names('')).toEqual(['spring', 'Spring 2', 'Spring'])
    expect(await names('order_direction=ASC&limit=1000')).toEqual(['Spring', 'Spring 2', 'spring'])
    expect(await names('name=Spring')).toEqual(['Spring'])
    expect(await names('name=Spr')).toEqual([])
    const first = (await theirs.get('/v1/marketing-campaigns?limit=2')).body
    expect([first.has_more, first.total_results]).toEqual([true, 3])
    expect(await names(`limit=2&cursor=${first.cursor}`)).toEqual(['Spring'])
    expect(code(await theirs.get('/v1/marketing-campaigns?limit=1001'))).toEqual([400, 'invalid_request'])
    expect(code(await theirs.get('/v1/marketing-campaigns?cursor=abc'))).toEqual([400, 'invalid_cursor'])
  })

  test('deleting a campaign deletes its templates and clears it from claims and listings', async () => {
    const { id } = (await create({ name: newId() })).body
    const [given, offered] = [await makeItem(mine), await makeItem(mine)]
    const claim = (
      await api.post('/v1/email-claims', { email: 'ada@example.com', item_id: given.itemId, campaign_id: id })
    ).body
    const listing = (
      await api.post('/v1/listings', {
        item_id: offered.itemId,
        quantity_listed: 1,
        price: 0,
        currency: 'ETH',
        payment_providers: ['ORGANIZATION'],
        campaign_id: id,
      })
    ).body
    expect([claim.campaign_id, listing.campaign_id]).toEqual([id, id])
    await api.patch(`/v1/listings/${listing.id}`, { campaign_id: null })
    expect((await api.patch(`/v1/listings/${listing.id}`, { campaign_id: id })).body.campaign_id).toBe(id)
    const template = await mine.ctx.db.emailTemplate.create({
      data: { id: newId(), organizationId: mine.id, campaignId: id, templateType: 'RECEIPT', version: 1 },
    })

    const deleted = await api.delete(`/v1/marketing-campaigns/${id}`)
    expect([deleted.status, deleted.body]).toEqual([204, ''])
    expect((await api.get(`/v1/email-claims/${claim.id}`)).body.campaign_id).toBeNull()
    expect((await api.get(`/v1/listings/${listing.id}`)).body.campaign_id).toBeNull()
    expect(await mine.ctx.db.emailTemplate.findFirst({ where: { id: template.id } })).toBeNull()
    expect(code(await api.get(`/v1/marketing-campaigns/${id}`))).toEqual([404, 'not_found'])
    expect(code(await api.delete(`/v1/marketing-campaigns/${id}`))).toEqual([404, 'not_found'])
    expect(code(await api.patch(`/v1/marketing-campaigns/${id}`, { name: 'x' }))).toEqual([404, 'not_found'])
    expect(
      code(
        await api.post('/v1/email-claims', {
          email: 'ada@example.com',
          item_id: (await makeItem(mine)).itemId,
          campaign_id: id,
        }),
      ),
    ).toEqual([404, 'not_found'])
  })

  test('a claim created while its campaign is deleted is made without it or not at all', async () => {
    const { id } = (await create({ name: newId() })).body
    const items = await Promise.all(Array.from({ length: 6 }, () => makeItem(mine)))
    const [gone, ...claims] = await Promise.all([
      api.delete(`/v1/marketing-campaigns/${id}`),
      ...items.map(({ itemId }) =>
        api.post('/v1/email-claims', { email: 'ada@example.com', item_id: itemId, campaign_id: id }),
      ),
    ])
    expect(gone.status).toBe(204)
    for (const claim of claims) expect([201, 404]).toContain(claim.status)
    await finishDeletions(systemContext())
    expect(await mine.ctx.db.emailClaim.count({ where: { campaignId: id } })).toBe(0)
  })
})
