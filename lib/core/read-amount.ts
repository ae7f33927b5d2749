import { formatTagOf } from './format-tag.ts'
import { type Locale, LOCALES } from './locales.ts'

/**
 * The marks between thousands and before decimals in each language. Languages put blanks of many kinds between
 * thousands; all are plain blanks here.
 */
const MARKS = new Map(
  LOCALES.map((locale) => {
    const parts = new Intl.NumberFormat(formatTagOf(locale), { useGrouping: 'always' }).formatToParts(12_345.6)
    const mark = (which: 'group' | 'decimal') => parts.find(({ type }) => type === which)!.value.replace(/\s/u, ' ')
    return [locale, { group: mark('group'), decimal: mark('decimal') }] as const
  }),
)

/** A number as digits with at most one point, without needless zeros. */
type Reading = string

/**
 * Reads a number as the page's language writes it, or as any other of our languages does: "12,50" and "12.50" are
 * "12.5". What reads differently in two of them is both readings, the page's own first: "1,250" is "1250" and "1.25".
 * null: no language writes this.
 */
export function readAmount(written: string, locale: Locale): Reading | readonly [Reading, Reading] | null {
  const text = written.trim().replace(/\s/gu, ' ')
  const readings = [locale, ...LOCALES].flatMap((each) => readingOf(text, MARKS.get(each)!) ?? [])
  const [first, second] = new Set(readings)
  return second === undefined ? (first ?? null) : [first!, second]
}

function readingOf(text: string, { group, decimal }: { group: string; decimal: string }): Reading | null {
  const [whole = '', fraction = '', ...more] = text.split(decimal)
  const isWhole = /^\d{1,60}$/.test(whole) || isGrouped(whole.split(group))
  if (!isWhole || more.length > 0 || !(text === whole || /^\d{1,60}$/.test(fraction))) return null
  const digits = whole.replaceAll(group, '').replace(/^0+(?=\d)/, '')
  const significant = fraction.replace(/0+$/, '')
  return significant === '' ? digits : `${digits}.${significant}`
}

const isGrouped = ([first = '', ...rest]: string[]): boolean =>
  /^[1-9]\d{0,2}$/.test(first) && rest.length > 0 && rest.length < 20 && rest.every((group) => /^\d{3}$/.test(group))

/** A reading as the language writes it, without marks between thousands, which others read as a decimal mark. */
export const writtenIn = (reading: Reading, locale: Locale): string => reading.replace('.', MARKS.get(locale)!.decimal)
