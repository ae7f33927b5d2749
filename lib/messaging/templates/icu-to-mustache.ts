import { type MessageFormatElement, parse, type PluralElement, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Locale } from '../../core/locales.ts'

/**
 * Bounds of a message. A plural's text is written once for each form of the language, so that nested plurals would
 * multiply it.
 */
const MAX_PLURAL_FORMS = 12
const MAX_MUSTACHE_BYTES = 20_000

/** A message that is nested too deep, or becomes too long. */
export class MessageTooLarge extends Error {}

/** The replacements of a message's tags, such as a link. */
export type TagsOf = Record<string, (inner: string) => string>

/**
 * A message of a catalogue (ICU) as a mail's template (Mustache): arguments become variables. A plural becomes a
 * section for each of its forms, of which the one that the number takes is filled in (`pluralOf`). A number that is one
 * is missing in mails. Throws `MessageTooLarge`.
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
  const elements = parse(message)
  assertPluralsFlat(elements)
  const text = textOf(elements)
  if (Buffer.byteLength(text) > MAX_MUSTACHE_BYTES)
    throw new MessageTooLarge(`With all forms of its plurals it takes more than ${MAX_MUSTACHE_BYTES / 1000} kB.`)
  return text
}

function assertPluralsFlat(elements: readonly MessageFormatElement[], isInside = false): void {
  for (const element of elements)
    if (element.type === TYPE.tag) assertPluralsFlat(element.children, isInside)
    else if (element.type === TYPE.plural) {
      const forms = Object.values(element.options)
      if (isInside) throw new MessageTooLarge('A plural can’t stand in a plural.')
      if (forms.length > MAX_PLURAL_FORMS) throw new MessageTooLarge(`A plural has at most ${MAX_PLURAL_FORMS} forms.`)
      for (const { value } of forms) assertPluralsFlat(value, true)
    }
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
