/** A variable, or where a condition begins (# or ^) or ends (/). */
export type Tag = { kind: '' | '#' | '^' | '/'; name: string }
/** A piece of a template's text. */
export type Part = string | Tag

const TAG = /\{\{\s*([#^/]?)\s*(\w+)\s*\}\}/g

const isTag = (part: Part): part is Tag => typeof part !== 'string'
export const sourceOf = (part: Part): string => (isTag(part) ? `{{${part.kind}${part.name}}}` : part)
export const textOf = (parts: readonly Part[]): string => parts.map(sourceOf).join('')

/** A text in pieces. What isn't a variable of the mail, and conditions that don't begin or don't end, stay text. */
export function partsOf(text: string, names: readonly string[]): Part[] {
  const parts = splitOf(text, names)
  const alone = unpairedOf(parts)
  return joined(parts.map((part) => (alone.has(part) ? sourceOf(part) : part)))
}

/**
 * Pieces after they were edited: a condition whose one end was removed goes, one that was only begun in words ends
 * where it begins.
 */
export function mended(parts: readonly Part[], names: readonly string[]): Part[] {
  const alone = unpairedOf(parts)
  const typed = parts
    .filter((part) => !alone.has(part))
    .flatMap((part): Part[] => (isTag(part) ? [part] : splitOf(part, names)))
  const begun = unpairedOf(typed)
  const ended = typed.flatMap((part): Part[] => {
    if (!begun.has(part) || !isTag(part)) return [part]
    return part.kind === '/' ? [sourceOf(part)] : [part, { kind: '/', name: part.name }]
  })
  return joined(ended)
}

/** The tags of which the other one of their pair is missing. */
export function unpairedOf(parts: readonly Part[]): ReadonlySet<Part> {
  const alone = new Set<Part>()
  const open: Tag[] = []
  for (const part of parts) {
    if (!isTag(part) || part.kind === '') continue
    if (part.kind !== '/') open.push(part)
    else if (!open.some(({ name }) => name === part.name)) alone.add(part)
    else for (let last = open.pop(); last && last.name !== part.name; last = open.pop()) alone.add(last)
  }
  return new Set([...alone, ...open])
}

function splitOf(text: string, names: readonly string[]): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const { 0: whole, 1: kind, 2: name, index } of text.matchAll(TAG)) {
    if (!names.includes(name!)) continue
    parts.push(text.slice(end, index), { kind: kind as Tag['kind'], name: name! })
    end = index + whole.length
  }
  return [...parts, text.slice(end)]
}

/** Neighbouring texts as one, none of them empty. */
function joined(parts: readonly Part[]): Part[] {
  const together: Part[] = []
  for (const part of parts) {
    const last = together.at(-1)
    if (typeof part === 'string' && typeof last === 'string') together[together.length - 1] = last + part
    else if (part !== '') together.push(part)
  }
  return together
}
