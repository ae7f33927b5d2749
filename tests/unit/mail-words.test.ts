import { describe, expect, test } from 'vitest'
import { type Locale, LOCALES } from '../../lib/core/locales.ts'
import { alarmWords } from '../../lib/messaging/alarms/alarm-words.ts'
import { changeIn } from '../../lib/messaging/changes.ts'
import { MessageTooLarge, mustacheOf, pluralOf } from '../../lib/messaging/templates/icu-to-mustache.ts'
import { MARKS } from '../../lib/messaging/templates/layout.ts'
import { templateOf } from '../../lib/messaging/templates/templates.ts'
import type { TemplateType } from '../../lib/messaging/templates/mail-variables.ts'
import { filled, mailWords, memberWords } from '../../lib/messaging/templates/mail-words.ts'
import { renderMail } from '../../lib/messaging/templates/render-mail.ts'
import { fillText, valuesOf } from '../../lib/messaging/templates/fill.ts'
import { platformTemplate } from '../../lib/messaging/templates/platform-template.ts'
import { SAMPLES } from '../support/mail-samples.ts'

const TYPES = Object.keys(SAMPLES) as TemplateType[]
/** What a mail says apart from what is put into it. */
const builtInOf = (type: TemplateType, locale: Locale) => {
  const { subject, preheader, heading, lead, notes, button } = templateOf(type, locale)
  return [subject, preheader, heading, ...lead, ...notes, button?.label ?? ''].filter((text) =>
    /\p{L}/u.test(text.replace(/\{\{[^}]*\}\}/g, '')),
  )
}

describe.each(LOCALES)('the words of mails in %s', (locale) => {
  test.each(TYPES)('%s is filled in without leftover placeholders, and says its language', async (type) => {
    const { subject, text, html } = await renderMail(type, SAMPLES[type], undefined, locale)
    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(/\{\{|\}\}|undefined|null\b/)
      expect(part.trim()).not.toBe('')
    }
    expect(html).toContain(`<html lang="${locale}"`)
  })

  test.each(TYPES)('%s has no English text', (type) => {
    const english = locale === 'en' ? [] : builtInOf(type, 'en')
    expect(builtInOf(type, locale).filter((text) => english.includes(text))).toEqual([])
  })

  test('every change, role and kind of alarm has words of the language', () => {
    const [own, english] = [memberWords(locale), memberWords('en')]
    const textsIn = (words: typeof own) => [
      ...Object.values(words.changes),
      ...Object.values(words.alarms).flatMap(({ title, toDo }) => [title, toDo]),
    ]
    if (locale !== 'en') expect(textsIn(own).filter((text) => textsIn(english).includes(text))).toEqual([])
    for (const kind of Object.keys(english.alarms)) {
      const { title, toDo } = alarmWords(kind, locale)
      for (const text of [title, toDo]) expect(text).toMatch(/[.。？?؟]$/)
    }
    expect(alarmWords('of_another_version', locale)).toEqual(alarmWords('other', locale))
    expect(alarmWords('return_refused', locale).toDo).toContain('POST /v1/transfers/{transfer_id}/return')
    expect(changeIn(locale, { what: 'webhookMade', name: 'Shop', url: 'https://shop.example' })).toMatch(
      /Shop.*https:\/\/shop\.example|https:\/\/shop\.example.*Shop/,
    )
  })

  test.each([1, 2, 3, 11, 100])('a headline of %i alarms reads in its form', (number) => {
    const { over, news, newsAndOver } = memberWords(locale).alarm
    const of = (name: string) => (number > 1 ? pluralOf(name, String(number), locale) : {})
    for (const text of [over, news, newsAndOver]) {
      const written = filled(text, locale, { ...of('opened'), ...of('ended') })
      expect(written).toMatch(/\p{L}/u)
      expect(written).not.toMatch(/[{}#]/)
      // Arabic has words for one and two.
      if (locale !== 'ar' || number > 2) expect(written).toContain(String(number))
    }
  })

  test('fill a gift without leftover placeholders, in one of its forms', () => {
    const { subject, text } = platformTemplate('REDEEM_NFT', undefined, locale)
    for (const quantity of [null, '2', '3', '5', '11', '100', '1000000']) {
      const values = valuesOf({ organization_name: 'Museum', item_title: 'Moonflower', quantity }, locale)
      const written = fillText(`${subject}\n${text}`, values)
      expect(written).not.toMatch(/\{\{|\}\}|undefined/)
      const digits = quantity && pluralOf('quantity', quantity, locale).quantity!
      // Arabic has a word for two.
      if (digits && !(locale === 'ar' && quantity === '2')) expect(written.split(digits)).toHaveLength(2)
    }
  })
})

test('a plural becomes one section where all numbers above one read the same', () => {
  expect(mustacheOf('{quantity, plural, one {} other {# pieces of }}art', 'en')).toBe(
    '{{#quantity}}{{quantity}} pieces of {{/quantity}}art',
  )
  expect(mustacheOf('{n, plural, one {a} few {# b} many {# c} other {# d}}', 'pl')).toBe(
    '{{^n}}a{{/n}}{{#n_few}}{{n}} b{{/n_few}}{{#n_many}}{{n}} c{{/n_many}}',
  )
})

test('every built-in text of every language stays within the bounds of a word', () => {
  const textsIn = (words: unknown): string[] =>
    typeof words === 'string' ? [words] : Object.values(words as Record<string, unknown>).flatMap(textsIn)
  for (const locale of LOCALES)
    for (const text of [mailWords(locale), memberWords(locale)].flatMap(textsIn))
      expect(() => mustacheOf(text, locale, MARKS)).not.toThrow()
})

test('a plural in a plural is refused when it is rendered too', () => {
  const inner = '{n, plural, other {#}}'
  expect(() => mustacheOf(`{n, plural, other {${inner}}}`, 'en')).toThrow(MessageTooLarge)
  expect(() => mustacheOf(`{n, plural, other {<link>${inner}</link>}}`, 'en', MARKS)).toThrow(MessageTooLarge)
})

test('numbers are written as the language writes them', () => {
  expect(pluralOf('n', '1200', 'de')).toEqual({ n: '1.200', n_other: 'yes' })
  expect(pluralOf('n', '3', 'pl')).toEqual({ n: '3', n_few: 'yes' })
})

test('English reads as it did', () => {
  expect(templateOf('REDEEM_NFT')).toMatchObject({
    subject: '{{organization_name}} sent you “{{item_title}}”',
    lead: [
      expect.stringMatching(/^\{\{#retry\}\}The delivery you asked for did not arrive/),
      '{{organization_name}} sent you {{#quantity}}{{quantity}} pieces of {{/quantity}}a digital collectible. You need nothing beforehand: open it, type the PIN we send you, and say where it should go.',
    ],
    button: { label: 'See what it is', url: '{{claim_url}}' },
  })
  expect(templateOf('LINKS').lead[1]).toBe(
    '{{#gifts}}{{^until}}“{{title}}”, which {{organization_name}} sent you:{{/until}}{{#until}}“{{title}}”, which {{organization_name}} sent you. It waits until {{until}}:{{/until}}\n{{url}}\n\n{{/gifts}}',
  )
})
