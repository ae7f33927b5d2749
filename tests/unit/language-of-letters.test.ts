import { expect, test } from 'vitest'
import { languageOfLetters } from '../../lib/core/language-of-letters.ts'
import type { Locale } from '../../lib/core/locales.ts'

test.each<[text: string, page: Locale, language: string | undefined]>([
  ['حمامة النهر', 'ja', 'ar'],
  ['حمامة النهر', 'ar', undefined],
  ['夜の鷺', 'en', 'ja'],
  ['夜の鷺', 'zh-Hans', 'ja'],
  ['夜の鷺', 'ja', undefined],
  ['夜鹭', 'de', 'zh-Hans'],
  ['夜鹭', 'zh-Hans', undefined],
  ['東京', 'ja', undefined],
  ['밤의 왜가리', 'pl', 'ko'],
  ['Ночная цапля', 'en', 'ru'],
  ['Κείμενο', 'en', 'el'],
  ['אנפה', 'en', 'he'],
  ['นกกระสา', 'en', 'th'],
  ['रात का बगुला', 'en', 'hi'],
  ['Der Nachtreiher', 'en', undefined],
  ['Salam (سلام), a poem in English', 'en', undefined],
  ['سلام No. 1', 'en', 'ar'],
  ['№ 42', 'de', undefined],
  ['🦆', 'ar', undefined],
  ['', 'en', undefined],
])('“%s” on a page in %s is read as %s', (text, page, language) => {
  expect(languageOfLetters(text, page)).toBe(language)
})

test('the same text gets the same language each time', () => {
  const ask = () => languageOfLetters('夜の鷺', 'en')
  expect([ask(), ask(), ask()]).toEqual(['ja', 'ja', 'ja'])
})
