import { readFileSync } from 'node:fs'
import path from 'node:path'
import type en from '../../../messages/en.json'
import type { Locale } from '../../core/locales.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import { fillSubject, type Values } from './fill.ts'
import { mustacheOf } from './icu-to-mustache.ts'

/** The words of mails to recipients and buyers, by keys: ICU messages of the catalogues. */
export type MailWords = (typeof en)['mail']
/** The words of mails to members and operators. Organizations replace none of them. */
export type MemberWords = (typeof en)['memberMail']

type Words = { mail: MailWords; memberMail: MemberWords }

const read = oncePerProcess('mail words', () => new Map<Locale, Words>())

export const mailWords = (locale: Locale): MailWords => wordsOf(locale).mail
export const memberWords = (locale: Locale): MemberWords => wordsOf(locale).memberMail

/** Read as a file when a language is first used: the bundles of pages have the catalogues compiled. */
function wordsOf(locale: Locale): Words {
  const known = read.get(locale)
  if (known) return known
  const file = path.join(/* turbopackIgnore: true */ process.cwd(), 'messages', `${locale}.json`)
  const { mail, memberMail } = JSON.parse(readFileSync(file, 'utf8')) as typeof en
  const words = { mail, memberMail }
  read.set(locale, words)
  return words
}

/** A text of a catalogue with its values, as one line: what is put into a mail as a variable. */
export const filled = (text: string, locale: Locale, values: Values = {}): string =>
  fillSubject(mustacheOf(text, locale), values)

/** How many of how many: “1 of 3”. */
export const unitsOf = (units: bigint, total: bigint, locale: Locale): string => {
  const written = (number: bigint) => new Intl.NumberFormat(locale).format(number)
  return filled(mailWords(locale).refund.units, locale, { units: written(units), total: written(total) })
}
