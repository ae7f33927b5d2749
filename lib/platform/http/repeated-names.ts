const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c

/** How many names the objects of a JSON text have, those given again included. The text is valid JSON; it is read once. */
export function countNames(text: string): number {
  let names = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COLON) names++
  }
  return names
}

/** Where the string that begins at a quote ends. */
function endOfString(text: string, begin: number): number {
  let at = begin + 1
  for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) at += code === BACKSLASH ? 2 : 1
  return at
}

/** An object with its names so far, or a list (null); `name` is that of the value being read, or its place in the list. */
type Holder = { names: Set<string> | null; name: string | number }

/** The paths of names that an object of a JSON text gives again. The text is valid JSON. */
export function repeatedNamesIn(text: string): Set<string> {
  const repeated = new Set<string>()
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
        if (holder.names.has(holder.name)) repeated.add(holders.map(({ name }) => name).join('.'))
        holder.names.add(holder.name)
      }
      at = end
    }
  }
  return repeated
}

/** Whether the string that ends there is a name: a colon follows. */
function isName(text: string, end: number): boolean {
  let at = end + 1
  while (/\s/.test(text[at] ?? '')) at++
  return text.charCodeAt(at) === COLON
}
