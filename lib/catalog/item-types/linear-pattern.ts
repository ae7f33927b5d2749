import { RE2JS } from 're2js'

/** Matches texts with a schema's pattern. */
export type Matcher = { test: (text: string) => boolean; toString: () => string }

/** Steps of a pattern with all its repetitions written out. Longer ones are matched as JavaScript does, in a thread. */
const MAX_SIZE = 2_000

/** Of JavaScript: RE2 counts fewer characters as white space, and fewer as ends of a line. */
const SPACE =
  '\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NO_SPACE =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}' +
  '\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const SETS: Record<string, string> = { s: SPACE, S: NO_SPACE, d: '\\d', D: '\\D', w: '\\w', W: '\\W' }
const ANY = '[^\\n\\r\\x{2028}\\x{2029}]'
const CONTROLS: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }
/** Categories whose characters are the same for both. */
const CATEGORY = /\\[pP]\{(?:C[cf]?|L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?)\}/uy

const literal = (point: number) => `\\x{${point.toString(16)}}`
const isSurrogate = (point: number) => point >= 0xd800 && point <= 0xdfff

/**
 * A pattern in the syntax of RE2, and how many steps it has at most; null where RE2 can’t say the same. The pattern
 * must be valid in JavaScript with the flag u.
 */
function translated(pattern: string): { text: string; size: number } | null {
  let at = 0
  let text = ''
  let size = pattern.length
  let factor = 1
  const take = (expression: RegExp): RegExpExecArray | null => {
    expression.lastIndex = at
    const found = expression.exec(pattern)
    if (found) at += found[0].length
    return found
  }
  /** One character, or a set of them (in a class without its brackets). */
  const escaped = (isInClass: boolean): { point: number } | { set: string } | null => {
    const category = take(CATEGORY)
    if (category) return { set: category[0] }
    const code = take(/\\u\{([0-9a-fA-F]+)\}/uy) ?? take(/\\u([0-9a-fA-F]{4})/uy) ?? take(/\\x([0-9a-fA-F]{2})/uy)
    if (code) {
      const point = Number.parseInt(code[1]!, 16)
      const low = isSurrogate(point) && point < 0xdc00 ? take(/\\u(d[c-f][0-9a-f]{2})/iuy) : null
      if (low) return { point: 0x10000 + (point - 0xd800) * 0x400 + Number.parseInt(low[1]!, 16) - 0xdc00 }
      return isSurrogate(point) ? null : { point }
    }
    const control = take(/\\c([A-Za-z])/uy)
    if (control) return { point: control[1]!.charCodeAt(0) % 32 }
    const letter = take(/\\(.)/suy)?.[1]
    if (letter === undefined) return null
    if (SETS[letter] !== undefined) return { set: SETS[letter] }
    if (CONTROLS[letter] !== undefined) return { point: CONTROLS[letter] }
    if (letter === 'b' && isInClass) return { point: 8 }
    return /[\^$\\.*+?()[\]{}|/-]/u.test(letter) ? { point: letter.charCodeAt(0) } : null
  }
  const member = (): { point: number } | { set: string } | null => {
    if (pattern[at] === '\\') return escaped(true)
    const point = pattern.codePointAt(at)!
    at += String.fromCodePoint(point).length
    return isSurrogate(point) ? null : { point }
  }
  const classOf = (): string | null => {
    const { 1: negation } = take(/\[(\^?)/uy)!
    let inside = ''
    while (pattern[at] !== ']') {
      const first = member()
      if (!first) return null
      if ('set' in first) inside += first.set
      else if (pattern[at] === '-' && pattern[at + 1] !== ']') {
        at++
        const last = member()
        if (!last || 'set' in last) return null
        inside += `${literal(first.point)}-${literal(last.point)}`
      } else inside += literal(first.point)
    }
    at++
    if (inside === '') return negation ? '[\\x{0}-\\x{10ffff}]' : '[^\\x{0}-\\x{10ffff}]'
    return `[${negation}${inside}]`
  }
  while (at < pattern.length) {
    const quantifier = take(/\{(\d+)(?:,(\d*))?\}/uy)
    if (quantifier) {
      const times = 1 + Math.max(Number(quantifier[1]), Number(quantifier[2] ?? 0))
      if (text.endsWith(')')) factor *= times
      else size += times
      text += quantifier[0]
      continue
    }
    if (take(/\((?:\?:|\?<[^=!>][^>]*>|(?!\?))/uy)) {
      text += '(?:'
      continue
    }
    const character = pattern[at]!
    if (character === '(') return null
    if (character === '[') {
      const set = classOf()
      if (set === null) return null
      text += set
    } else if (/^\\[bB]/u.test(pattern.slice(at, at + 2))) {
      text += pattern.slice(at, at + 2)
      at += 2
    } else if (character === '\\') {
      const one = escaped(false)
      if (!one) return null
      text += 'set' in one ? `[${one.set}]` : literal(one.point)
    } else if (/[.^$]/u.test(character)) {
      text += { '.': ANY, '^': '\\A', $: '\\z' }[character]!
      at++
    } else if (/[)*+?|]/u.test(character)) {
      text += character
      at++
    } else {
      const one = member()
      if (!one || 'set' in one) return null
      text += literal(one.point)
    }
  }
  return { text, size: size * factor }
}

/**
 * A pattern that is matched in linear time, and the steps it takes at most for a character; null where only JavaScript
 * can read it.
 */
export function linearPattern(pattern: string): { matcher: Matcher; size: number } | null {
  try {
    void new RegExp(pattern, 'u')
    const found = translated(pattern)
    if (!found || found.size > MAX_SIZE) return null
    const expression = RE2JS.compile(found.text)
    return { matcher: { test: (text) => expression.test(text), toString: () => pattern }, size: found.size }
  } catch {
    return null // It is no pattern at all, or beyond the bounds of RE2.
  }
}
