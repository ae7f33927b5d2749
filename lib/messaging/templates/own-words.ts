import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { fieldError } from '../../core/errors.ts'
import { localeGiven } from '../../core/locale-given.ts'
import type { Locale } from '../../core/locales.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import { assertTermsKept } from '../../organizations/glossary.ts'
import { mustacheOf, MessageTooLarge } from './icu-to-mustache.ts'
import { MARKS } from './layout.ts'
import { type MailWords, mailWords } from './mail-words.ts'

/** Words that an organization puts in the place of built-in ones, by language and key. null removes one. */
export type GivenWords = Record<string, Record<string, string | null>>
export type OwnWords = Partial<Record<Locale, Record<string, string>>>

const PREFIX = 'mail.'

/** The built-in text of a key such as `mail.gift.subject`; undefined for any other. */
function builtIn(words: MailWords, key: string): string | undefined {
  const [part = '', name = '', ...rest] = key.startsWith(PREFIX) ? key.slice(PREFIX.length).split('.') : []
  const texts: Record<string, string> = Object.hasOwn(words, part) ? words[part as keyof MailWords] : {}
  return rest.length === 0 && Object.hasOwn(texts, name) ? texts[name] : undefined
}

/** An organization's own words after a change. Throws `invalid_request` for what can't take a built-in text's place. */
export function wordsAfter(before: OwnWords | null, given: GivenWords, glossary: readonly string[]): OwnWords | null {
  const after = new Map(Object.entries(before ?? {}).map(([locale, texts]) => [locale as Locale, { ...texts }]))
  for (const [tag, texts] of Object.entries(given)) {
    const locale = localeGiven(tag, `words.${tag}`)!
    const own = new Map(Object.entries(after.get(locale) ?? {}))
    for (const [key, text] of Object.entries(texts)) {
      const field = `words.${tag}.${key}`
      const original = builtIn(mailWords(locale), key)
      if (original === undefined) throw fieldError('invalid_request', field, 'There is no built-in text of this name.')
      if (text === null) own.delete(key)
      else {
        const fault = faultOf(locale, original, text)
        if (fault !== null) throw fieldError('invalid_request', field, fault)
        assertTermsKept(field, glossary, original, text)
        own.set(key, text)
      }
    }
    if (own.size === 0) after.delete(locale)
    else after.set(locale, Object.fromEntries(own))
  }
  return after.size === 0 ? null : Object.fromEntries(after)
}

/**
 * Why a text can't take a built-in one's place: it must be well formed, have the variables of that one, and stay small.
 * null: it can.
 */
function faultOf(locale: Locale, original: string, text: string): string | null {
  let parsed: MessageFormatElement[]
  try {
    parsed = parse(text)
  } catch {
    return text.includes('{{')
      ? 'A variable has single braces here, such as {item_title}.'
      : 'This isn’t well formed: check its braces and its plural.'
  }
  const [wanted, found] = [namesIn(parse(original)), namesIn(parsed)]
  if (found.includes('')) return 'Only variables, plurals and marks of the built-in text are possible.'
  const missing = wanted.find((name) => !found.includes(name))
  if (missing !== undefined) return `${missing} must stand in it, as in the built-in text.`
  const unknown = found.find((name) => !wanted.includes(name))
  if (unknown !== undefined) return `There is no ${unknown} in the built-in text.`
  try {
    mustacheOf(text, locale, MARKS)
    return null
  } catch (error) {
    if (error instanceof MessageTooLarge) return error.message
    throw error
  }
}

/** Saved words that were checked already: a mail is written more often than its words change. */
const checked = oncePerProcess('own words', () => new Map<string, string | null>())
const MAX_CHECKED = 2_000

function knownFaultOf(locale: Locale, original: string, text: string): string | null {
  const key = JSON.stringify([locale, original, text])
  const known = checked.get(key)
  if (known !== undefined) return known
  const fault = faultOf(locale, original, text)
  if (checked.size >= MAX_CHECKED) checked.delete(checked.keys().next().value!)
  checked.set(key, fault)
  return fault
}

/** Variables as {name}, marks as <name>; what else ICU knows as an empty text. */
const namesIn = (elements: readonly MessageFormatElement[]): string[] =>
  elements.flatMap((element) => {
    switch (element.type) {
      case TYPE.literal:
        // Quoted braces would be a variable's in the template.
        return /[{}]/.test(element.value) ? [''] : []
      case TYPE.pound:
        return []
      case TYPE.argument:
        return [`{${element.value}}`]
      case TYPE.tag:
        return [`<${element.value}>`, ...namesIn(element.children)]
      case TYPE.plural:
        return [`{${element.value}}`, ...Object.values(element.options).flatMap(({ value }) => namesIn(value))]
      case TYPE.number:
      case TYPE.date:
      case TYPE.time:
      case TYPE.select:
        return ['']
    }
  })

/**
 * The words of a language with those that an organization replaces. `refused`: keys of saved words that aren't possible
 * (any more), in whose place the built-in ones stay.
 */
export function withOwnWords(locale: Locale, own: OwnWords | null): { words: MailWords; refused: string[] } {
  const words = mailWords(locale)
  const replaced = own?.[locale]
  const refused: string[] = []
  if (!replaced) return { words, refused }
  const replace = (key: string, original: string) => {
    const text = replaced[key]
    if (text === undefined) return original
    if (knownFaultOf(locale, original, text) === null) return text
    refused.push(key)
    return original
  }
  const withOwn = Object.fromEntries(
    Object.entries(words).map(([part, texts]) => [
      part,
      Object.fromEntries(
        Object.entries(texts).map(([name, text]) => [name, replace(`${PREFIX}${part}.${name}`, text)]),
      ),
    ]),
  ) as MailWords
  return { words: withOwn, refused }
}
