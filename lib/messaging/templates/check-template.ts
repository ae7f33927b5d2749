import type { EditableType, TemplateDraft } from '../../platform/api/email-templates.ts'
import { AppError, type FieldError } from '../../core/errors.ts'
import type { Owner } from '../../platform/threads/limited-thread.ts'
import { checkBlocks } from './check-blocks.ts'
import { compileInThread } from './compile-in-thread.ts'
import { readTags } from './check-tags.ts'
import { fillHtml, fillText } from './fill.ts'
import { lineAt, type Problem } from './problem.ts'
import { samplesOf, VARIABLES } from './variables.ts'

type Field = 'subject' | 'text' | 'body'
export type TemplateProblem = { field: Field; line: number | null; detail: string }
/** `html` is the compiled and cleaned body that is filled in and sent. Don't use it while the body has problems. */
export type Checked = { html: string; problems: TemplateProblem[] }

/** Compiles a template as it would be sent and returns all its problems. */
export async function checkTemplate(
  owner: Owner,
  type: EditableType,
  { subject, text, format, body, blocks }: TemplateDraft,
): Promise<Checked> {
  const names = VARIABLES[type].map(({ name }) => name)
  const of = (field: Field, found: Problem[]) =>
    found.map(({ line, detail }) => ({ field, line, detail: `Line ${line}: ${detail}` }))
  const [inSubject, inText] = [readTags(subject, names).problems, readTags(text, names).problems]
  if (blocks) {
    const inBlocks = checkBlocks(blocks, VARIABLES[type])
    if (inBlocks.length > 0) return { html: '', problems: [...of('subject', inSubject), ...inBlocks] }
  }
  const { html, problems: inBody } = await readBody(owner, type, names, format, body)
  const problems = [...of('subject', inSubject), ...of('text', inText), ...of('body', inBody)]
  const missing = (field: Field, rendered: () => string, unless: Problem[]) =>
    unless.length > 0
      ? []
      : missingOf(type, rendered()).map((name) => ({
          field,
          line: null,
          detail: blocks ? missingInBlocks(name) : missingInCode(name),
        }))
  const bare = bareSamples(type)
  return {
    html,
    problems: [
      ...problems,
      ...(blocks ? [] : missing('text', () => fillText(text, bare), inText)),
      ...missing('body', () => fillHtml(html, bare), inBody),
    ],
  }
}

/** Throws `template_invalid` for a template that can't be sent. Returns its compiled and cleaned body. */
export async function assertTemplateValid(
  owner: Owner,
  type: EditableType,
  draft: TemplateDraft,
): Promise<{ html: string }> {
  const { html, problems } = await checkTemplate(owner, type, draft)
  if (problems.length === 0) return { html }
  const fields: FieldError[] = problems.map(({ field, detail }) => ({ field, code: 'template_invalid', detail }))
  throw new AppError('template_invalid', `${fields[0]!.field}: ${fields[0]!.detail}`, { fields })
}

async function readBody(
  owner: Owner,
  type: EditableType,
  names: string[],
  format: 'MJML' | 'HTML',
  body: string,
): Promise<{ html: string; problems: Problem[] }> {
  const { tags, problems } = readTags(body, names)
  const urls = VARIABLES[type].filter(({ url }) => url).map(({ name }) => name)
  const compiled = await compileInThread(owner, { format, body, urls: problems.length === 0 ? urls : null })
  const found = [...problems, ...compiled.problems].sort((a, b) => a.line - b.line)
  if (found.length > 0) return { html: '', problems: found }
  return { html: compiled.html, problems: lostSections(body, tags, readTags(compiled.html, names)) }
}

type Tags = ReturnType<typeof readTags>

/** Reports sections that compiling or cleaning removed or broke: their content would always appear. */
function lostSections(source: string, tags: Tags['tags'], after: Tags): Problem[] {
  const [broken] = after.problems
  if (broken)
    return [{ line: 1, detail: `A section is torn apart by what was removed from around it. ${broken.detail}` }]
  const isSection = ({ kind }: { kind: string }) => kind !== ''
  const count = (list: Tags['tags'], like: Tags['tags'][number]) =>
    list.filter(({ kind, name }) => kind === like.kind && name === like.name).length
  const lost = tags.filter(isSection).find((tag) => count(after.tags, tag) < count(tags, tag))
  if (!lost) return []
  return [
    {
      line: lineAt(source, lost.index),
      detail:
        `{{${lost.kind}${lost.name}}} is lost where it stands. ` +
        'Between MJML blocks it needs <mj-raw> around it; inside of a tag it can’t be.',
    },
  ]
}

/** Samples without optional variables: a required variable must appear without them too. */
const bareSamples = (type: EditableType) =>
  samplesOf(type, { origin: 'https://vitrine.example', organizationName: 'Museum', optional: false })

/** Names of required variables that a mail doesn't show. */
function missingOf(type: EditableType, rendered: string): string[] {
  const values = bareSamples(type)
  return VARIABLES[type].flatMap(({ name, required }) => (required && !rendered.includes(values[name]!) ? [name] : []))
}

const missingInCode = (name: string) => `{{${name}}} must stand here, and not only in a section that may be left out.`
const missingInBlocks = (name: string) =>
  name === 'pin'
    ? 'No block shows the PIN yet: add {{pin}} to a large code or a text.'
    : `No block leads to the item yet: add a button with the recipient’s link ({{${name}}}).`
