import fs from 'node:fs'
import path from 'node:path'
import { root } from './areas.ts'
import type { Chosen } from './choose.ts'

export type Outcome = 'noticed' | 'timed out' | 'survived'
export type Result = { mutant: Chosen; outcome: Outcome; by: string | null; reason: string | null; ms: number }

/** Mutants that change nothing anyone can see don't count. */
export function shareOf(results: readonly Result[]): { noticed: number; of: number; share: number } {
  const counted = results.filter(({ outcome, reason }) => outcome !== 'survived' || reason === null)
  const noticed = counted.filter(({ outcome }) => outcome !== 'survived').length
  return { noticed, of: counted.length, share: counted.length > 0 ? noticed / counted.length : 1 }
}

const survivorsOf = (results: readonly Result[]): Result[] => results.filter(({ outcome }) => outcome === 'survived')

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

/** A section of docs/benchmarks/proof.md. `how`: what each mutant had to stand. */
export function sectionOf(
  title: string,
  results: readonly Result[],
  { command, how, minutes }: { command: string; how: string; minutes: number },
): string {
  const { noticed, of, share } = shareOf(results)
  const areas = [...new Set(results.map(({ mutant }) => mutant.area))]
  const rows = areas.map((area) => {
    const own = results.filter(({ mutant }) => mutant.area === area)
    const late = own.filter(({ outcome }) => outcome === 'timed out').length
    const survived = survivorsOf(own)
    const equivalent = survived.filter(({ reason }) => reason !== null).length
    const cells = [area, own.length, own.length - survived.length, late, equivalent, survived.length - equivalent]
    return `| ${cells.join(' | ')} |`
  })
  const survivors = survivorsOf(results)
  const line = ({ mutant, reason }: Result) =>
    `- \`${mutant.file}:${mutant.line}\` ${escaped(mutant.id.slice(mutant.file.length + 1))}${reason ? `: ${reason}` : ''}`
  const list = (title: string, some: Result[]) => (some.length > 0 ? ['', title, '', ...some.map(line)] : [])
  return [
    `## ${title}`,
    '',
    `\`${command}\`: ${results.length} small changes, ${how}.`,
    `${noticed} of ${of} were noticed (${percent(share)}); their tests took ${minutes} minutes in all.`,
    `${survivors.filter(({ reason }) => reason !== null).length} more change nothing that anyone can see (tests/mutation/equivalent.json) and don’t count.`,
    '',
    '| area | mutants | noticed | of these by a time limit | equivalent | not noticed |',
    '|---|---|---|---|---|---|',
    ...rows,
    ...list(
      'Not noticed:',
      survivors.filter(({ reason }) => reason === null),
    ),
    ...list(
      'Equivalent, with the reason:',
      survivors.filter(({ reason }) => reason !== null),
    ),
    '',
  ].join('\n')
}

const escaped = (text: string) => `\`${text.replaceAll('`', '’')}\``

const REPORT = path.join(root, 'docs/benchmarks/proof.md')

/** Replaces the section of this name; the others stay. */
export function writeSection(section: string): void {
  const title = section.split('\n')[0]!
  const before = fs.existsSync(REPORT) ? fs.readFileSync(REPORT, 'utf8') : '# Proof\n\n'
  const parts = before.split(/^(?=## )/m)
  const at = parts.findIndex((part) => part.startsWith(`${title}\n`))
  if (at < 0) parts.push(section)
  else parts[at] = at < parts.length - 1 ? `${section}\n` : section
  fs.writeFileSync(REPORT, parts.map((part) => part.replace(/\n*$/, '\n')).join('\n'))
}
