import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { call, callerOf } from '../support/call.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
let mailbox: Mailbox
beforeAll(async () => {
  installFakeChain()
  mailbox = await startMailbox()
  mine = await makeOrganization({ name: 'Museum' })
  api = callerOf(mine.key)
})

const attributes = { title: 'Moonflower' }
const translations = { de: { title: 'Mondblume', description: 'Blüht nachts.' }, ar: { title: 'زهرة القمر' } }
const make = async (body: object) => {
  const { body: collection } = await api.post('/v1/collections', { name: newId() })
  return api.post('/v1/items', { collection_id: collection.id, attributes, ...body })
}

test('an item keeps titles in other languages beside its attributes, until null removes them', async () => {
  const { status, body } = await make({ translations: { 'de-CH': translations.de, ar: translations.ar } })
  expect([status, body.translations, body.attributes]).toEqual([201, translations, attributes])
  const path = `/v1/items/${body.id}`
  expect((await api.patch(path, { attributes })).body.translations).toEqual(translations)
  expect((await api.get(path)).body.translations).toEqual(translations)
  expect((await api.patch(path, { attributes, translations: null })).body.translations).toBeUndefined()
})

test('a language that nobody knows, an unknown field and too much text are refused', async () => {
  const wrong = async (given: object) => {
    const { status, body } = await make({ translations: given })
    return [status, body.errors[0].field]
  }
  expect(await wrong({ xx: { title: 'X' } })).toEqual([400, 'translations.xx'])
  expect(await wrong({ de: { name: 'X' } })).toEqual([400, 'translations.de.name'])
  const description = 'x'.repeat(10_000)
  const all = Object.fromEntries(['de', 'fr', 'es', 'it', 'nl', 'pl', 'ja'].map((tag) => [tag, { description }]))
  expect(await wrong(all)).toEqual([400, 'translations'])
})

test('public views and mails have the translation, and a hidden item has none', async () => {
  const { itemId } = await makeItem(mine)
  await mine.ctx.db.item.update({ where: { id: itemId }, data: { translations } })
  const { body: shown } = await call('GET', `/public/v1/items/${itemId}`)
  expect([shown.title, shown.translations]).toEqual(['Moonflower', translations])
  const claimed = async (locale: string) => {
    const email = `${newId()}@example.com`
    const { body } = await api.post('/v1/email-claims', { email, item_id: itemId, locale })
    await mailbox.deliver(email)
    const view = await call('GET', `/public/v1/email-claims/${body.claim_url.split('/').at(-1)}`)
    await api.delete(`/v1/email-claims/${body.id}`)
    return [mailbox.mailsTo(email)[0]!.subject, view.body.public_item.translations?.de?.title]
  }
  expect(await claimed('de')).toEqual(['Museum schenkt Ihnen „Mondblume“', 'Mondblume'])
  expect(await claimed('fr')).toEqual(['Museum vous offre « Moonflower »', 'Mondblume'])
  const { collectionId } = await mine.ctx.db.item.findFirstOrThrow({ where: { id: itemId } })
  await mine.ctx.db.collection.update({ where: { id: collectionId }, data: { revealStrategy: 'DELAYED', name: 'Box' } })
  expect(await claimed('de')).toEqual(['Museum schenkt Ihnen „Box“', undefined])
  expect((await call('GET', `/public/v1/items/${itemId}`)).body.translations).toBeUndefined()
})
