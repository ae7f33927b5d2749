import { expect, test } from 'vitest'
import { findLocale, localeOfHeader } from '../../lib/core/find-locale.ts'
import { dirOf } from '../../lib/core/locales.ts'

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE_de', null],
  ['pt-PT', 'pt-BR'],
  ['zh-CN', 'zh-Hans'],
  ['zh-TW', 'zh-Hans'],
  ['zh-Hant-HK', 'zh-Hans'],
  ['ar-EG', 'ar'],
  ['nb', null],
  ['*', null],
  ['', null],
  ['not a locale', null],
])('the language nearest to “%s” is %s', (tag, locale) => {
  expect(findLocale(tag)).toBe(locale)
})

test.each([
  ['da, en-GB;q=0.8, de;q=0.9', 'de'],
  ['zh-TW,ja;q=0.5', 'zh-Hans'],
  ['da,zh-TW;q=0.5', 'zh-Hans'],
  ['*', null],
  ['de;q=0', null],
  [',,;q=x', null],
  ['', null],
  [null, null],
  [`de,${'a,'.repeat(5000)}`, null],
])('a header %s asks for %s', (header, locale) => {
  expect(localeOfHeader(header)).toBe(locale)
})

test('Arabic is written from right to left', () => {
  expect(dirOf('ar')).toBe('rtl')
  expect(dirOf('ja')).toBe('ltr')
})
