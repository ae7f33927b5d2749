import { readFileSync } from 'node:fs'
import path from 'node:path'
import type en from '../../../messages/en.json'
import type { Locale } from '../../core/locales.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import { fillSubject } from './fill.ts'
import { mustacheOf } from './icu-to-mustache.ts'

/** What mails to recipients and buyers say, by keys: ICU messages of the catalogues. */
export type MailWords = (typeof en)['mail']

const read = oncePerProcess('mail words', () => new Map<Locale, MailWords>())

/** Read as a file when a language is first used: the bundles of pages have the catalogues compiled. */
export function mailWords(locale: Locale): MailWords {
  const known = read.get(locale)
  if (known) return known
  const file = path.join(/* turbopackIgnore: true */ process.cwd(), 'messages', `${locale}.json`)
  const { mail } = JSON.parse(readFileSync(file, 'utf8')) as typeof en
  read.set(locale, mail)
  return mail
}

/** How many of how many: “1 of 3”. */
export const unitsOf = (units: bigint, total: bigint, locale: Locale): string => {
  const written = (number: bigint) => new Intl.NumberFormat(locale).format(number)
  return fillSubject(mustacheOf(mailWords(locale).refund.units, locale), {
    units: written(units),
    total: written(total),
  })
}
