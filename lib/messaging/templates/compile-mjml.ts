import type { Problem } from './problem.ts'

const MAX_TAGS = 1_500

/** Compiles MJML to HTML, without loading includes or fonts. Problems name their line. */
export async function compileMjml(source: string): Promise<{ html: string; problems: Problem[] }> {
  const problems = problemsOf(source)
  if (problems.length > 0) return { html: '', problems }
  // Loaded when it is first needed: it is large, and most processes never compile a template. It is the compiler of
  // `mjml` in one file.
  const { default: mjml2html } = await import('mjml-browser')
  try {
    const { html, errors } = await mjml2html(source, {
      validationLevel: 'soft',
      fonts: {},
      keepComments: false,
      ignoreIncludes: true,
    })
    return { html, problems: errors.map(({ line, message }) => ({ line, detail: sentence(message) })) }
  } catch {
    return {
      html: '',
      problems: [{ line: 1, detail: 'This is not MJML: one <mjml> with an <mj-body> in it is needed.' }],
    }
  }
}

const sentence = (message: string) => `${message.slice(0, 500).replace(/[.\s]+$/, '')}.`

/** Problems that the compiler ignores: unclosed blocks, and includes. */
function problemsOf(source: string): Problem[] {
  const { tags, unended } = tagsOf(source)
  if (unended !== null) return [{ line: unended, detail: 'A tag or comment that begins here never ends.' }]
  if (tags.length > MAX_TAGS) return [{ line: 1, detail: `There are more than ${MAX_TAGS} blocks.` }]
  const open: { name: string; line: number }[] = []
  const problems: Problem[] = []
  for (const { closes: slash, name, isEmpty, line } of tags) {
    if (name === 'mj-include')
      problems.push({ line, detail: 'A template stands by itself: <mj-include> can’t be used.' })
    else if (!slash && !isEmpty) open.push({ name, line })
    else if (slash && open.at(-1)?.name === name) open.pop()
    else if (slash)
      return [
        ...problems,
        {
          line,
          detail:
            open.length > 0
              ? `</${name}> closes nothing here: <${open.at(-1)!.name}> is still open.`
              : `</${name}> closes nothing.`,
        },
      ]
  }
  return [...problems, ...open.map(({ name, line }) => ({ line, detail: `<${name}> is never closed.` }))]
}

type Tag = { name: string; closes: boolean; isEmpty: boolean; line: number }

/**
 * MJML's tags outside of comments, one more than are taken at most, in one pass. `unended`: the line of a tag or
 * comment without an end.
 */
function tagsOf(source: string): { tags: Tag[]; unended: number | null } {
  const tags: Tag[] = []
  let line = 1
  let at = 0
  const goTo = (next: number) => {
    for (let end = source.indexOf('\n', at); end !== -1 && end < next; end = source.indexOf('\n', end + 1)) line++
    at = next
  }
  for (let next = source.indexOf('<'); next !== -1 && tags.length <= MAX_TAGS; next = source.indexOf('<', at)) {
    goTo(next)
    if (source.startsWith('<!--', at)) {
      const end = source.indexOf('-->', at + 4)
      if (end === -1) return { tags, unended: line }
      goTo(end + 3)
      continue
    }
    const begun = /<(\/?)(mj(?:ml|-[a-z-]{1,40}))\b/iy
    begun.lastIndex = at
    const found = begun.exec(source)
    if (!found) {
      goTo(at + 1)
      continue
    }
    const end = endOfTag(source, begun.lastIndex)
    if (end === -1) return { tags, unended: line }
    const isEmpty = source.slice(begun.lastIndex, end).trimEnd().endsWith('/')
    tags.push({ name: found[2]!.toLowerCase(), closes: found[1] !== '', isEmpty, line })
    goTo(end + 1)
  }
  return { tags, unended: null }
}

/** The > that ends a tag, outside of the quotes of its attributes; -1 where there is none. */
function endOfTag(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    const character = source[at]!
    if (character === '>') return at
    if (character !== '"' && character !== "'") continue
    at = source.indexOf(character, at + 1)
    if (at === -1) return -1
  }
  return -1
}
