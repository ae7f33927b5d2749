import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { root } from './areas.ts'
import { nameOf } from './mutants.ts'

/** What is entered, by `<file> <declaration>`, and the processor time that it takes. */
type Entered = { ms: number; reached: string[] }
/** What a test file enters: outside of its tests, and in each of them, by its full name. */
export type Reach = { file: string; tests: ({ name: string } & Entered)[] } & Entered

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

/**
 * The test files that the map lacks. What those of faults and simulation enter, they enter in processes of their own.
 */
export const unmappedFiles = (): string[] =>
  fs
    .globSync('tests/{*.test.ts,{unit,domain,api,chain,security}/**/*.test.ts}', { cwd: root })
    .filter((file) => !fs.existsSync(mapFileOf(file)))
    .sort()

/** Tests of a file by their full names, or all of them. */
export type Selection = { file: string; names: string[] | null }

/** What a file's tests may take together; the nearest one may take longer. */
const MOST_MS_OF_FILE = 3_000
/** Longer ones are about many at once. */
const MOST_MS_OF_TEST = 10_000

const isFunction = (statement: ts.Statement): boolean =>
  ts.isFunctionDeclaration(statement) ||
  (ts.isVariableStatement(statement) && ts.isFunctionLike(statement.declarationList.declarations[0]!.initializer))

/**
 * The functions of a source that use a declaration of it which is no function, such as a statement of SQL, also by way
 * of others.
 */
function usersOf(source: string, place: string): string[] {
  const tree = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true)
  const declared = tree.statements.map((statement) => ({
    name: nameOf(statement),
    text: statement.getText(),
    isFunction: isFunction(statement),
  }))
  const known = new Set([place])
  const users: string[] = []
  for (const one of known)
    for (const { name, text, isFunction } of declared) {
      if (!new RegExp(`\\b${RegExp.escape(one)}\\b`).test(text)) continue
      if (isFunction) users.push(name)
      else known.add(name)
    }
  return users
}

const sourceOf = (file: string): string =>
  fs.existsSync(path.join(root, file)) ? fs.readFileSync(path.join(root, file), 'utf8') : ''

/**
 * The tests that enter a declaration, of so many files, nearest first: those of which most is about its file, and the
 * quick ones. What is entered only outside of tests is judged by whole files. A declaration that is no function is
 * taken to be reached by what enters the functions that use it; where there are none, by whatever enters its file.
 */
export function testsOf(
  map: readonly Reach[],
  { file, place }: { file: string; place: string },
  mostFiles: number,
  source = sourceOf(file),
): { tests: Selection[]; ms: number } {
  const ownOf = (each: Entered) => each.reached.filter((name) => name.startsWith(`${file} `)).length
  const isEntered = (each: Entered) => each.reached.includes(`${file} ${place}`)
  const users = usersOf(source, place).map((name) => `${file} ${name}`)
  const isUsed = (each: Entered) => users.some((name) => each.reached.includes(name))
  const near = (each: Entered) => (ownOf(each) + 1) / each.reached.length / (1 + each.ms / 2000)
  const candidatesBy = (is: (each: Entered) => boolean): Candidate[] =>
    map.flatMap(({ tests, ...outside }) => {
      const nearest = tests
        .filter((test) => test.ms <= MOST_MS_OF_TEST && is(test))
        .map((test) => ({ ...test, score: near(test) }))
        .sort((a, b) => b.score - a.score)
      const found = nearest.filter((_, at) => at === 0 || sumOf(nearest.slice(0, at + 1)) <= MOST_MS_OF_FILE)
      const ms = sumOf([outside, ...found])
      if (found.length > 0)
        return {
          file: outside.file,
          names: found.map(({ name }) => name),
          ms,
          score: found[0]!.score / (1 + ms / 3000),
        }
      const all = sumOf([outside, ...tests])
      return is(outside) && all <= MOST_MS_OF_TEST
        ? { file: outside.file, names: null, ms: all, score: near(outside) / 10 }
        : []
    })
  const [candidates = []] = [isEntered, isUsed, (each: Entered) => ownOf(each) > 0]
    .map(candidatesBy)
    .filter(({ length }) => length > 0)
  const chosen = candidates.sort((a, b) => b.score - a.score).slice(0, mostFiles)
  return { tests: chosen.map(({ file, names }) => ({ file, names })), ms: sumOf(chosen) }
}

type Candidate = Selection & { ms: number; score: number }

const sumOf = (some: readonly { ms: number }[]): number => some.reduce((sum, { ms }) => sum + ms, 0)
