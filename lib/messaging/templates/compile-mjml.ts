import { lineAt, type Problem } from './problem.ts'

const MAX_TAGS = 1_500

/** Compiles MJML to HTML, without loading includes or fonts. Problems name their line. */
export async function compileMjml(source: string): Promise<{ html: string; problems: Problem[] }> {
  const problems = problemsOf(source)
  if (problems.length > 0) return { html: '', problems }
  // Loaded when it is first needed: it is large, and most processes never compile a template.
  const { default: mjml2html } = await import('mjml')
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

const sentence = (message: string) => `${message.replace(/[.\s]+$/, '')}.`

/** Problems that the compiler ignores: unclosed blocks, and includes. */
function problemsOf(source: string): Problem[] {
  const bare = source.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ' '))
  const tags = [...bare.matchAll(/<(\/?)(mj(?:ml|-[a-z-]+))\b((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi)]
  if (tags.length > MAX_TAGS) return [{ line: 1, detail: `There are more than ${MAX_TAGS} blocks.` }]
  const open: { name: string; line: number }[] = []
  const problems: Problem[] = []
  for (const { 1: slash, 2: tag = '', 3: rest = '', index } of tags) {
    const name = tag.toLowerCase()
    const line = lineAt(source, index)
    if (name === 'mj-include')
      problems.push({ line, detail: 'A template stands by itself: <mj-include> can’t be used.' })
    else if (!slash && !/\/\s*$/.test(rest)) open.push({ name, line })
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
