import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { callerOf } from '../support/call.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
let mailbox: Mailbox
beforeAll(async () => {
  installFakeChain()
  mailbox = await startMailbox()
  mine = await makeOrganization({ name: 'Museum' })
  api = callerOf(mine.key)
})

const set = (locale: string, key: string, text: string | null) =>
  api.patch('/v1/email-words', { words: { [locale]: { [key]: text } } })
async function mailIn(locale: string) {
  const { itemId } = await makeItem(mine)
  const email = `${newId()}@example.com`
  await api.post('/v1/email-claims', { email, item_id: itemId, locale })
  await mailbox.deliver(email)
  return mailbox.mailsTo(email)[0]!
}

test('own words take the place of built-in ones in their language, until null restores them', async () => {
  const { status, body } = await set('de-AT', 'mail.gift.subject', 'Servus! „{item_title}“ von {organization_name}')
  expect([status, body.words]).toEqual([
    200,
    { de: { 'mail.gift.subject': 'Servus! „{item_title}“ von {organization_name}' } },
  ])
  await set('de', 'mail.layout.sentVia', 'Mit Vitrine verschickt.')
  const german = await mailIn('de')
  expect(german.subject).toBe('Servus! „Moonflower“ von Museum')
  expect(german.html).toContain('Mit Vitrine verschickt.')
  expect((await mailIn('fr')).subject).toContain('vous offre')
  expect(Object.keys((await set('de', 'mail.gift.subject', null)).body.words.de)).toEqual(['mail.layout.sentVia'])
  expect((await mailIn('de')).subject).toBe('Museum schenkt Ihnen „Moonflower“')
})

test.each([
  ['de', 'mail.gift.nothing', 'Hallo', 'There is no built-in text of this name.'],
  ['de', 'mail.gift.__proto__', 'Hallo', 'There is no built-in text of this name.'],
  ['xx', 'mail.gift.subject', 'Hallo', 'This language isn’t spoken here.'],
  ['de', 'mail.gift.subject', 'Hallo {item_title}', '{organization_name} must stand in it'],
  ['de', 'mail.gift.button', 'Auf {pin}', 'There is no {pin} in the built-in text.'],
  ['de', 'mail.gift.button', 'Auf {', 'This isn’t well formed'],
  ['de', 'mail.gift.button', 'Auf {{claim_url}}', 'A variable has single braces here'],
])('words that can’t take a built-in text’s place are refused: %s %s %s', async (locale, key, text, why) => {
  const { status, body } = await set(locale, key, text)
  expect([status, body.code]).toEqual([400, 'invalid_request'])
  expect(body.errors[0].detail).toContain(why)
})

test('what is in the glossary stays as it is, in words and in translations of items', async () => {
  expect((await api.patch('/v1/email-words', { glossary: ['Vitrine', 'Moonflower'] })).body.glossary).toEqual([
    'Vitrine',
    'Moonflower',
  ])
  expect((await set('fr', 'mail.layout.sentVia', 'Envoyé par la vitrine.')).body.errors[0]).toMatchObject({
    field: 'words.fr.mail.layout.sentVia',
    detail: '“Vitrine” is in the glossary: it is never translated.',
  })
  const { body: collection } = await api.post('/v1/collections', { name: newId() })
  const make = async (title: string) =>
    api.post('/v1/items', {
      collection_id: collection.id,
      attributes: { title: 'Moonflower' },
      translations: { de: { title } },
    })
  expect((await make('Mondblume')).body.errors[0].field).toBe('translations.de.title')
  expect((await make('Die Moonflower')).status).toBe(201)
  expect((await api.get('/v1/email-words')).body.glossary).toContain('Moonflower')
})
