import { describe, expect, test } from 'vitest'
import { LOCALES } from '../../lib/core/locales.ts'
import { mustacheOf, pluralOf } from '../../lib/messaging/templates/icu-to-mustache.ts'
import { templateOf } from '../../lib/messaging/templates/templates.ts'
import { fillText, valuesOf } from '../../lib/messaging/templates/fill.ts'
import { platformTemplate } from '../../lib/messaging/templates/platform-template.ts'

describe.each(LOCALES)('the words of mails in %s', (locale) => {
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
