import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
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

/** A plural around a plural, so many times. */
const nested = (depth: number): string =>
  `{quantity, plural, other {${depth === 0 ? '{organization_name}' : nested(depth - 1)} } }`

test.each([
  ['a plural in a plural', nested(1), 'A plural can’t stand in a plural.'],
  ['sixteen plurals in each other', nested(16), 'A plural can’t stand in a plural.'],
  [
    'many forms',
    `{organization_name} {quantity, plural, ${Array.from({ length: 12 }, (_, at) => `=${at} {a}`).join(' ')} other {b}}`,
    'A plural has at most 12 forms.',
  ],
  [
    'a text that becomes long in all of its forms',
    `{organization_name} {quantity, plural, one {a} few {b} other {${'#'.repeat(1_800)}}}`,
    'With all forms of its plurals it takes more than 20 kB.',
  ],
  [
    'quoted braces, which would be read as a variable’s',
    `'{'{organization_name}'}' {quantity, plural, other {#}}`,
    'Only variables, plurals and marks of the built-in text are possible.',
  ],
])('a word that would become too large is refused when it is saved: %s', async (_, text, why) => {
  const { status, body } = await set('pl', 'mail.gift.lead', text)
  expect([status, body.code]).toEqual([400, 'invalid_request'])
  expect(body.errors[0].detail).toContain(why)
})

test('a built-in text with a plural at its end may be set as one’s own', async () => {
  const text = '{organization_name} sent you {quantity, plural, one {a gift} other {# gifts}}'
  expect((await set('en', 'mail.gift.lead', text)).status).toBe(200)
  expect((await mailIn('en')).text).toContain('Museum sent you a gift')
})

test('a nested word that was saved before is never used: mails have the built-in one, and an alarm names it', async () => {
  const other = await makeOrganization({ name: 'Gallery' })
  await systemClient().organization.update({
    where: { id: other.id },
    data: { words: { de: { 'mail.gift.lead': nested(16), 'mail.gift.subject': 'Servus!' } } },
  })
  const { itemId } = await makeItem(other)
  const email = `${newId()}@example.com`
  const own = callerOf(other.key)
  await own.post('/v1/email-claims', { email, item_id: itemId, locale: 'de' })
  await mailbox.deliver(email)
  expect(mailbox.mailsTo(email)[0]).toMatchObject({
    subject: 'Gallery schenkt Ihnen „Moonflower“',
    text: expect.stringContaining('Gallery hat Ihnen ein digitales Sammlerstück'),
  })
  const alarms = () => systemClient().alarm.findMany({ where: { organizationId: other.id, resolvedAt: null } })
  expect(await alarms()).toMatchObject([
    { kind: 'email_words_refused', detail: expect.stringContaining('mail.gift.lead') },
  ])
  await own.patch('/v1/email-words', { words: { de: { 'mail.gift.lead': null, 'mail.gift.subject': null } } })
  expect(await alarms()).toEqual([])
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
