import type { Locale } from './locales.ts'

/** A language, letters of which each text in it has some, and all letters that it is written in. */
type Writing = { language: string; own: RegExp; letters: RegExp }

const writing = (language: string, own: RegExp, letters = own): Writing => ({ language, own, letters })
const HAN = /\p{Script=Han}/gu

/**
 * Where several languages share their letters, as Russian and Bulgarian do, the one that most people speak stands here.
 */
const WRITINGS: readonly Writing[] = [
  writing(
    'ja',
    /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
    /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu,
  ),
  writing('ko', /\p{Script=Hangul}/gu, /[\p{Script=Hangul}\p{Script=Han}]/gu),
  writing('zh-Hans', HAN),
  writing('ar', /\p{Script=Arabic}/gu),
  writing('ru', /\p{Script=Cyrillic}/gu),
  writing('el', /\p{Script=Greek}/gu),
  writing('he', /\p{Script=Hebrew}/gu),
  writing('th', /\p{Script=Thai}/gu),
  writing('hi', /\p{Script=Devanagari}/gu),
]

const count = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0

/**
 * The language by which a screen reader should read a text on a page in `locale`: that of at least half of the text's
 * letters. undefined: the page's own, or one that its letters don't tell, as with Latin ones.
 */
export function languageOfLetters(text: string, locale: Locale): string | undefined {
  const all = count(text, /\p{Letter}/gu)
  const found = WRITINGS.find(({ own, letters }) => count(text, own) > 0 && 2 * count(text, letters) >= all)
  // Chinese letters alone may be Japanese as well.
  if (!found || found.language === locale || (found.letters === HAN && locale === 'ja')) return undefined
  return found.language
}
