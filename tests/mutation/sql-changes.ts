import type ts from 'typescript'
import type { Change } from './mutants.ts'

const IS_SQL = /\b(SELECT|UPDATE|INSERT INTO|DELETE FROM|WHERE|AND|EXISTS)\b/
/** What ends a condition at its own depth of parentheses. */
const ENDS =
  /^(AND|OR|WHERE|ORDER BY|GROUP BY|LIMIT|OFFSET|RETURNING|FOR|ON CONFLICT|UNION|HAVING|JOIN|LEFT|CROSS|INNER|FROM|SET|WHEN|THEN|ELSE|END)\b/
const BOUNDARIES: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

/** Changes of a statement in SQL: conditions that always hold, boundaries moved by one, locks that aren't taken. */
export function sqlChanges(source: string, node: ts.Node): Change[] {
  const start = node.getStart() + 1
  const text = withoutValues(source.slice(start, node.getEnd() - 1))
  if (!IS_SQL.test(text)) return []
  const at = (from: number, to: number, replacement: string, kind: string): Change => ({
    kind,
    from: start + from,
    to: start + to,
    text: replacement,
  })
  const conditions = conditionsOf(text).map(([from, to]) =>
    at(from, to, `(${source.slice(start + from, start + to)} OR true)`, 'SQL condition dropped:'),
  )
  const boundaries = [...text.matchAll(/(?<= )(<=|>=|<|>)(?= )/g)].map((match) =>
    at(match.index, match.index + match[0].length, BOUNDARIES[match[0]]!, 'SQL boundary moved:'),
  )
  const locks = [...text.matchAll(/\s+FOR (NO KEY )?(UPDATE|SHARE)( OF \w+)?( SKIP LOCKED)?/g)].map((match) =>
    at(match.index, match.index + match[0].length, '', 'SQL lock dropped:'),
  )
  const skips = [...text.matchAll(/ SKIP LOCKED/g)].map((match) =>
    at(match.index, match.index + match[0].length, '', 'SQL lock waits:'),
  )
  return [...conditions, ...withLines(boundaries, source), ...locks, ...skips]
}

/** A boundary alone says little: its neighbours are part of the change. */
const withLines = (changes: Change[], source: string): Change[] =>
  changes.map(({ from, to, text, kind }) => {
    const before = /\S{0,40}\s*$/.exec(source.slice(0, from))![0].replace(/^.*`/s, '')
    const after = /^\s*[\w.$]{0,40}/.exec(source.slice(to))![0]
    return { kind, from: from - before.length, to: to + after.length, text: before + text + after }
  })

/** The statement with what `${…}` puts in made harmless, at the same offsets. */
function withoutValues(text: string): string {
  let out = ''
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const opens = depth === 0 ? text.startsWith('${', at) : text[at] === '{'
    if (opens) depth++
    out += depth > 0 ? 'x' : text[at]
    if (depth > 0 && text[at] === '}') depth--
    if (opens && text[at] === '$') {
      out += 'x'
      at++
    }
  }
  return out
}

/** Where each condition after WHERE and AND begins and ends. */
function conditionsOf(text: string): [number, number][] {
  return [...text.matchAll(/\b(?:WHERE|AND)\s+/g)].flatMap((match): [number, number][] => {
    const isOfBetween = /\bBETWEEN\s+\S+\s+$/.test(text.slice(0, match.index))
    if (isOfBetween) return []
    const from = match.index + match[0].length
    const to = endOf(text, from)
    return to > from ? [[from, to]] : []
  })
}

function endOf(text: string, from: number): number {
  let depth = 0
  let isBetween = false
  let at = from
  for (; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth < 0) break
    if (depth > 0 || !/\s/.test(text[at]!)) {
      if (depth === 0 && text[at] === ';') break
      continue
    }
    const rest = text.slice(at + 1)
    if (/^BETWEEN\b/.test(rest)) isBetween = true
    else if (isBetween && /^AND\b/.test(rest)) isBetween = false
    else if (ENDS.test(rest)) break
  }
  while (at > from && /\s/.test(text[at - 1]!)) at--
  return at
}
