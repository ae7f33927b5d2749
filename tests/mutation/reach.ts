import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { root } from './areas.ts'
import { nameOf } from './mutants.ts'

/** What a test file enters, by `<file> <declaration>`, and the processor time that it takes. */
export type Reach = { file: string; ms: number; reached: string[] }

/** Where the map is kept, a file for each test file. */
export const MAP = path.join(root, 'node_modules/.cache/mutation')
export const mapFileOf = (testFile: string): string => path.join(MAP, `${testFile.replaceAll('/', '~')}.json`)

/** A source whose functions note that they were entered, under the name of the declaration at the top of the file. */
export function countingFunctions(file: string, source: string): string {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const added: { at: number; text: string }[] = []
  const visit = (node: ts.Node, note: string): void => {
    if (ts.isTypeNode(node)) return
    const body = (node as { body?: ts.Node }).body
    if (!ts.isFunctionLike(node) || !body) return ts.forEachChild(node, (child) => visit(child, note))
    if (ts.isBlock(body)) added.push({ at: body.getStart() + 1, text: `${note};` })
    else added.push({ at: body.getStart(), text: `(${note}, ` }, { at: body.getEnd(), text: ')' })
  }
  for (const statement of tree.statements)
    visit(statement, `globalThis.reached?.add(${JSON.stringify(`${file} ${nameOf(statement)}`)})`)
  return added
    .sort((a, b) => b.at - a.at)
    .reduce((text, { at, text: more }) => text.slice(0, at) + more + text.slice(at), source)
}

export function readMap(): Reach[] {
  if (!fs.existsSync(MAP)) return []
  const files = fs.readdirSync(MAP).filter((name) => name.endsWith('.json'))
  return files
    .map((name) => JSON.parse(fs.readFileSync(path.join(MAP, name), 'utf8')) as Reach)
    .filter(({ file }) => fs.existsSync(path.join(root, file)))
}

const MOST_FILES = 12
const MOST_MS = 40_000
/** Longer ones are about many at once. */
const MOST_MS_OF_FILE = 10_000

/**
 * The test files that enter a declaration, nearest first: those of which most is about its file, and the quick ones. A declaration that is
 * no function is taken to be reached by whatever enters its file.
 */
export function testsOf(map: readonly Reach[], file: string, place: string): { files: string[]; ms: number } {
  const usable = map.filter(({ ms }) => ms <= MOST_MS_OF_FILE)
  const entering = usable.filter(({ reached }) => reached.includes(`${file} ${place}`))
  const near = (entering.length > 0 ? entering : usable)
    .map((each) => ({ ...each, own: each.reached.filter((name) => name.startsWith(`${file} `)).length }))
    .filter(({ own }) => own > 0)
    .map((each) => ({ ...each, score: (each.own + 1) / each.reached.length / (1 + each.ms / 5000) }))
    .sort((a, b) => b.score - a.score)
  const files: string[] = []
  let ms = 0
  for (const each of near) {
    if (files.length === MOST_FILES || (files.length > 0 && ms + each.ms > MOST_MS)) break
    files.push(each.file)
    ms += each.ms
  }
  return { files, ms }
}
