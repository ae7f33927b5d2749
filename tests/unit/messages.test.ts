import fs from 'node:fs'
import path from 'node:path'
import { createTranslator } from 'use-intl/core'
import { describe, expect, test } from 'vitest'
import { ERRORS } from '../../lib/core/errors.ts'
import { DASHBOARD_LOCALES, LOCALES, type Locale } from '../../lib/core/locales.ts'
import { literalsIn, sourcesUnder } from '../support/source-text.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(root, 'messages', `${name}.json`), 'utf8'))

/** The texts of a language by their whole keys. */
function flat(tree: unknown, before = ''): [string, string][] {
  if (typeof tree === 'string') return [[before, tree]]
  return Object.entries(tree as Record<string, unknown>).flatMap(([key, below]) =>
    flat(below, before ? `${before}.${key}` : key),
  )
}

/** The texts of pages and mails, and those of the dashboard: each a file a language, in a folder. */
const CATALOGUES: { folder: string; locales: readonly Locale[]; isUsedIn: RegExp }[] = [
  { folder: '', locales: LOCALES, isUsedIn: /^(?!.*\/(api|dashboard|docs|v1)\/)/ },
  { folder: 'dashboard/', locales: DASHBOARD_LOCALES, isUsedIn: /\/(dashboard|sign-in|language|ui)\// },
]

const textsOf = (name: string) => new Map(flat(read(name)))

/** What a text names: its arguments and its tags. */
const namesIn = (text: string): string[] =>
  [
    ...new Set([...text.matchAll(/\{(\w+)(?=[,}])|<(\w+)>/g)].map(([, argument, tag]) => argument ?? `<${tag}>`)),
  ].toSorted()

/** The forms of each plural in a text. */
const pluralFormsIn = (text: string): string[][] =>
  [...text.matchAll(/\{\w+, (?:plural|selectordinal),((?: =?\w+ \{(?:[^{}]|\{[^{}]*\})*\})+)\}/g)].map(([, forms]) =>
    [...forms!.matchAll(/ (=?\w+) \{(?:[^{}]|\{[^{}]*\})*\}/g)].map(([, form]) => form!),
  )

const FILES = CATALOGUES.flatMap(({ folder, locales }) =>
  locales.map((locale) => ({ folder, locale, file: folder + locale })),
)

describe.each(FILES)('$file', ({ folder, locale, file }) => {
  const english = flat(read(`${folder}en`))
  const texts = textsOf(file)

  test('has a text for every key, and no other', () => {
    expect([...texts.keys()].toSorted()).toEqual(english.map(([key]) => key).toSorted())
    expect([...texts].filter(([, text]) => text.trim() !== text || text === '')).toEqual([])
  })

  test('its texts are well formed and name what the English ones name', () => {
    const problems: string[] = []
    const t = createTranslator({
      locale,
      messages: read(file) as Record<string, string>,
      onError: (error) => void problems.push(error.message),
    })
    for (const [key, text] of english) {
      const own = texts.get(key) ?? ''
      if (String(namesIn(own)) !== String(namesIn(text))) problems.push(`${key} names ${namesIn(own).join()}`)
      const values = namesIn(own).map((name) =>
        name.startsWith('<') ? [name.slice(1, -1), (inside: string) => inside] : [name, 3],
      )
      t.markup(key as never, Object.fromEntries(values) as never)
    }
    expect(problems).toEqual([])
  })

  test('its plurals have exactly the forms that the language has', () => {
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted()
    for (const [key, text] of texts) {
      expect(pluralFormsIn(text).length, key).toBe(text.split(', plural,').length - 1)
      for (const own of pluralFormsIn(text)) {
        const needed = own.filter((form) => !form.startsWith('=')).toSorted()
        expect([key, needed]).toEqual([key, forms])
      }
    }
  })

  test('keeps the limits that translators are told', () => {
    for (const [key, { max }] of Object.entries(
      read(`${folder}notes`) as Record<string, { note?: string; max?: number }>,
    )) {
      const text = texts.get(key)
      expect(text, `${key} of the notes`).toBeDefined()
      if (max) expect(text!.length, `${file} ${key}: ${text}`).toBeLessThanOrEqual(max)
    }
  })
})

test.each(CATALOGUES)('every text of messages/$folder is used', ({ folder, isUsedIn }) => {
  const literals = sourcesUnder(root, ['app', 'components'])
    .filter((file) => isUsedIn.test(file))
    .flatMap((file) => literalsIn(file))
  const exact = new Set(literals.filter((literal) => typeof literal === 'string'))
  const patterns = literals.filter((literal) => typeof literal !== 'string')
  const isUsed = (key: string) => {
    const parts = key.split('.')
    // Named for the code of a problem document, which pages look up as it comes.
    if (Object.keys(ERRORS).includes(parts.at(-1)!)) return true
    return parts.some((_, at) => {
      const suffix = parts.slice(at).join('.')
      return exact.has(suffix) || patterns.some((pattern) => pattern.test(suffix))
    })
  }
  // Mails ask for their texts by the names of their templates.
  const keys = [...textsOf(`${folder}en`).keys()]
  expect(keys.filter((key) => !/^(mail|memberMail)\./.test(key) && !isUsed(key))).toEqual([])
})
