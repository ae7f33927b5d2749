const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c

/** Any decimal of so many digits is printed as it was written. */
const EXACT_DIGITS = 15

/**
 * How many names the objects of a JSON text have, those given again included, and whether any number is so long that it
 * may be read as another. The text is valid JSON; it is read once.
 */
export function tokensOf(text: string): { names: number; hasLongNumbers: boolean } {
  let names = 0
  let hasLongNumbers = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COLON) names++
    else if (isDigit(code)) {
      const end = endOfNumber(text, at)
      hasLongNumbers ||= end - at > EXACT_DIGITS || /e/i.test(text.slice(at, end))
      at = end - 1
    }
  }
  return { names, hasLongNumbers }
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

function endOfNumber(text: string, begin: number): number {
  let at = begin + 1
  while (isDigit(text.charCodeAt(at)) || '.eE+-'.includes(text[at] ?? ' ')) at++
  return at
}

/** Where the string that begins at a quote ends. */
function endOfString(text: string, begin: number): number {
  for (let at = text.indexOf('"', begin + 1); ; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at
  }
}

/**
 * An object with its names so far, or a list (null); `name` is that of the value being read, or its place in the list.
 */
type Holder = { names: Set<string> | null; name: string | number }

/**
 * The paths of what is lost when a JSON text is read: names that an object gives again, and numbers that become others.
 * The text is valid JSON.
 */
export function lossesIn(text: string): { repeated: Set<string>; inexact: Set<string> } {
  const [repeated, inexact] = [new Set<string>(), new Set<string>()]
  const path = () => holders.map(({ name }) => name).join('.')
  const holders: Holder[] = []
  for (let at = 0; at < text.length; at++) {
    const holder = holders.at(-1)
    const letter = text[at]
    if (letter === '{') holders.push({ names: new Set(), name: '' })
    else if (letter === '[') holders.push({ names: null, name: 0 })
    else if (letter === '}' || letter === ']') holders.pop()
    else if (letter === ',' && typeof holder?.name === 'number') holder.name++
    else if (letter === '"') {
      const end = endOfString(text, at)
      if (holder?.names && isName(text, end)) {
        holder.name = JSON.parse(text.slice(at, end + 1)) as string
        if (holder.names.has(holder.name)) repeated.add(path())
        holder.names.add(holder.name)
      }
      at = end
    } else if (isDigit(text.charCodeAt(at))) {
      const end = endOfNumber(text, at)
      if (!isExactNumber(text.slice(at, end))) inexact.add(path())
      at = end - 1
    }
  }
  return { repeated, inexact }
}

/** Whether a decimal, as JSON or a person writes it, is printed with the same value once it was read. */
export const isExactNumber = (text: string): boolean => decimalOf(text) === decimalOf(String(Number(text)))

/** A decimal as digits without zeros around them, and its exponent: 1.10 and 11e-1 are the same. */
function decimalOf(text: string): string | null {
  const [, sign = '', whole, fraction = '', exponent = '0'] =
    /^\+?(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  if (whole === undefined) return null
  const digits = whole + fraction
  let [first, last] = [0, digits.length]
  while (digits[first] === '0') first++
  while (last > first && digits[last - 1] === '0') last--
  if (first === last) return '0'
  return `${sign}${digits.slice(first, last)}e${Number(exponent) - fraction.length + digits.length - last}`
}

/** Whether the string that ends there is a name: a colon follows. */
function isName(text: string, end: number): boolean {
  let at = end + 1
  while (/\s/.test(text[at] ?? '')) at++
  return text.charCodeAt(at) === COLON
}
