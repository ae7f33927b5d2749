import { type MessageFormatElement, parse, type PluralElement, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Locale } from '../../core/locales.ts'

/** What a message's tags become, such as a link. */
export type TagsOf = Record<string, (inner: string) => string>

/**
 * A message of a catalogue (ICU) as a mail's template (Mustache): arguments become variables. A plural becomes a section for each of its forms,
 * of which the one that the number takes is filled in (`pluralOf`). A number that is one is missing in mails.
 */
export function mustacheOf(message: string, locale: Locale, tags: TagsOf = {}): string {
  const textOf = (elements: readonly MessageFormatElement[], number?: string): string =>
    elements
      .map((element) => {
        switch (element.type) {
          case TYPE.literal:
            return element.value
          case TYPE.argument:
            return `{{${element.value}}}`
          case TYPE.pound:
            return `{{${number!}}}`
          case TYPE.tag:
            return tags[element.value]!(textOf(element.children, number))
          case TYPE.plural:
            return sectionsOf(element, locale, (option) => textOf(option, element.value))
          case TYPE.number:
          case TYPE.date:
          case TYPE.time:
          case TYPE.select:
            throw new Error(`A mail’s message may hold variables, plurals and tags only: ${message}`)
        }
      })
      .join('')
  return textOf(parse(message))
}

function sectionsOf(
  { value: name, options }: PluralElement,
  locale: Locale,
  textOf: (option: readonly MessageFormatElement[]) => string,
): string {
  const single = options['=1'] ?? options['one'] ?? options['other']!
  const forms = manyForms(locale).map((form) => ({ form, text: textOf((options[form] ?? options['other']!).value) }))
  const isOneForm = forms.every(({ text }) => text === forms[0]!.text)
  const many = isOneForm
    ? inSection('#', name, forms[0]!.text)
    : forms.map(({ form, text }) => inSection('#', `${name}_${form}`, text)).join('')
  return inSection('^', name, textOf(single.value)) + many
}

const inSection = (kind: '#' | '^', name: string, text: string) =>
  text === '' ? '' : `{{${kind}${name}}}${text}{{/${name}}}`

/** Numbers above one that take each form that a whole number can take in any of our languages. */
const SAMPLES = [2, 3, 5, 11, 100, 1_000_000]

/** The plural forms of whole numbers above one. */
const manyForms = (locale: Locale): string[] => [
  ...new Set(SAMPLES.map((number) => new Intl.PluralRules(locale).select(number))),
]

/** The sections that a number opens, and the number as the language writes it. */
export const pluralOf = (name: string, number: string, locale: Locale): Record<string, string> => ({
  [name]: new Intl.NumberFormat(locale).format(BigInt(number)),
  [`${name}_${new Intl.PluralRules(locale).select(Number(number))}`]: 'yes',
})
