import { nearest } from '../../core/nearest.ts'
import { lineAt, type Problem } from './problem.ts'

type Tag = { kind: '' | '#' | '^' | '/' | '!'; name: string; index: number }
/** Bounds the time a template takes to check. */
const MAX_TAGS = 1_000
const MAX_PROBLEMS = 20

export type Tags = { tags: Tag[]; problems: Problem[] }

const REFUSED: Record<string, string> = {
  '{': 'Write two braces instead of three: what a variable holds never becomes markup.',
  '&': 'Leave out the &: what a variable holds never becomes markup.',
  '>': 'One template can’t be put into another.',
  '=': 'The braces can’t be changed for something else.',
}

/**
 * Reads the variables and sections of a template. Anything but `allowed` variables, their sections and comments is
 * reported as a problem with its line, and so is an unclosed section.
 */
export function readTags(source: string, allowed: readonly string[]): Tags {
  const tags: Tag[] = []
  const problems: Problem[] = []
  const open: Tag[] = []
  const report = (index: number, detail: string) => problems.push({ line: lineAt(source, index), detail })
  for (let index = source.indexOf('{{'), end = 0; index !== -1; index = source.indexOf('{{', end)) {
    const close = source.indexOf('}}', index + 2)
    if (close === -1) {
      report(index, `${firstLineOf(source.slice(index, index + 30))} is never closed: }} is missing.`)
      break
    }
    end = close + 2
    if (tags.length === MAX_TAGS) report(index, `There are more than ${MAX_TAGS} variables and sections.`)
    if (tags.length === MAX_TAGS || problems.length === MAX_PROBLEMS) break
    const content = source.slice(index + 2, close).trim()
    const refused = REFUSED[content.charAt(0)]
    if (refused) {
      report(index, refused)
      continue
    }
    const kind = (/^[#^/!]/.exec(content)?.[0] ?? '') as Tag['kind']
    const tag = { kind, name: content.slice(kind.length).trim(), index }
    if (kind === '!') continue
    tags.push(tag)
    if (!allowed.includes(tag.name)) report(index, unknownVariable(tag.name, allowed))
    else if (kind === '#' || kind === '^') open.push(tag)
    if (kind !== '/' || !allowed.includes(tag.name)) continue
    const last = open.pop()
    if (!last) report(index, `{{/${tag.name}}} closes nothing.`)
    else if (last.name !== tag.name) {
      report(index, `{{/${tag.name}}} stands where {{${last.kind}${last.name}}} must be closed first.`)
      break
    }
  }
  if (problems.length === 0)
    for (const { kind, name, index } of open)
      report(index, `{{${kind}${name}}} is never closed: {{/${name}}} is missing.`)
  return { tags, problems }
}

const firstLineOf = (text: string) => text.split('\n')[0]!.trim()

function unknownVariable(name: string, allowed: readonly string[]): string {
  const near = nearest(name, allowed)
  return `There is no variable {{${name.slice(0, 40)}}}.${near ? ` Did you mean {{${near}}}?` : ''}`
}
