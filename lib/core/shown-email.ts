import { toUnicode } from 'punycode/punycode.es6.js'

/** Scripts of domains. Those that one language writes together stand in one entry. */
const SCRIPTS = [
  ['Latin'],
  ['Cyrillic'],
  ['Greek'],
  ['Arabic'],
  ['Hebrew'],
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
  ...['Armenian', 'Bengali', 'Devanagari', 'Ethiopic', 'Georgian', 'Gujarati', 'Gurmukhi', 'Kannada', 'Khmer', 'Lao'],
  ...['Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thai', 'Thaana', 'Tibetan'],
].map((scripts) => {
  const letters = [scripts, 'Common', 'Inherited'].flat(2).map((script) => `\\p{scx=${script}}`)
  return new RegExp(`^[${letters.join('')}]*$`, 'u')
})

/**
 * An email address as people read it: its domain in Unicode. A domain with letters of several scripts stays as DNS has
 * it: it may pass itself off as another.
 */
export function shownEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at)
  const shown = unicodeOf(domain)
  const isPlain = shown.split('.').every((label) => SCRIPTS.some((script) => script.test(label)))
  return email.slice(0, at) + (isPlain ? shown : domain)
}

function unicodeOf(domain: string): string {
  try {
    return toUnicode(domain)
  } catch {
    return domain // no punycode, or none that means anything
  }
}
