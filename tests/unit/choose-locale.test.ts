import { expect, test } from 'vitest'
import { chooseLocale, type LocaleHints } from '../../lib/core/choose-locale.ts'

const nothing: LocaleHints = { asked: [], kept: null, stored: null, acceptLanguage: null, organization: null }
const all: LocaleHints = { asked: ['de'], kept: 'fr', stored: 'pl', acceptLanguage: 'ja', organization: 'ar' }

test('the address wins over the choice kept, the stored language, the browser’s and the organization’s, in this order', () => {
  expect(chooseLocale(all)).toBe('de')
  expect(chooseLocale({ ...all, asked: [] })).toBe('fr')
  expect(chooseLocale({ ...all, asked: [], kept: null })).toBe('pl')
  expect(chooseLocale({ ...all, asked: [], kept: null, stored: null })).toBe('ja')
  expect(chooseLocale({ ...nothing, organization: 'ar' })).toBe('ar')
  expect(chooseLocale(nothing)).toBe('en')
})

test('of several languages in the address the first that we speak counts', () => {
  expect(chooseLocale({ ...all, asked: ['xx', 'nb', 'it', 'es'] })).toBe('it')
})

test('what names no language that we speak is passed over', () => {
  expect(chooseLocale({ ...all, asked: ['xx', '', '../de'], kept: 'nothing' })).toBe('pl')
  expect(chooseLocale({ ...nothing, acceptLanguage: 'xx, nb;q=0.5', organization: 'pt-BR' })).toBe('pt-BR')
})
