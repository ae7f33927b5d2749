import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { loneTextFaults } from '../../scripts/lint/lone-text.ts'

const root = path.resolve(import.meta.dirname, '../..')
const NAME = path.join(root, 'components/lone-text-fixture.tsx')

const HEAD = `
import type { ReactElement, ReactNode } from 'react'
declare const t: { (key: string): string; rich(key: string, values: object): ReactNode }
declare const icon: ReactElement, slot: ReactElement | null, children: ReactNode
declare const busy: boolean, name: string, count: number, names: string[]
declare function Sentence(props: { children: ReactNode }): ReactElement
declare function Icon(): ReactElement
declare function Maybe(): ReactElement | null
declare function Price(): string
`

/** Declarations of packages, which all tests share. */
const read = new Map<string, ts.SourceFile | undefined>()

/** The rule's first faults of lines of JSX, null for a line without any. */
function faultsOf(...lines: string[]): (string | null)[] {
  const text = `${HEAD}export const all = [\n${lines.map((line) => `${line},`).join('\n')}\n]`
  const options: ts.CompilerOptions = {
    jsx: ts.JsxEmit.ReactJSX,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2024,
    types: [],
  }
  const host = ts.createCompilerHost(options, true)
  const { getSourceFile, fileExists } = host
  host.fileExists = (file) => file === NAME || fileExists(file)
  host.getSourceFile = (file, ...rest) => {
    if (file === NAME) return ts.createSourceFile(file, text, ts.ScriptTarget.ES2024, true)
    if (!read.has(file)) read.set(file, getSourceFile(file, ...rest))
    return read.get(file)
  }
  const program = ts.createProgram([NAME], options, host)
  const source = program.getSourceFile(NAME)!
  expect(program.getSemanticDiagnostics(source).map(({ messageText }) => messageText)).toEqual([])
  const before = HEAD.split('\n').length
  const found = loneTextFaults(program, source).map(({ node, message }) => ({
    line: source.getLineAndCharacterOfPosition(node.getStart()).line - before,
    message,
  }))
  return lines.map((_, line) => found.find((fault) => fault.line === line)?.message ?? null)
}

test('text that may change is refused where it isn’t the only child of its element', () => {
  const faults = faultsOf(
    '<button>{busy ? <Icon /> : icon}{children}</button>',
    '<p>{name} <b>bold</b></p>',
    '<p>{count} items</p>',
    '<label><Icon />{t("label")}</label>',
    '<p>{busy && name}<Icon /></p>',
    '<Sentence>{busy ? name : icon}<Icon /></Sentence>',
  )
  expect(faults).toEqual(faults.map(() => 'Text that may change is the only child of its element: wrap it.'))
})

test('fixed text is refused beside what comes and goes', () => {
  const faults = faultsOf('<p>Paid {busy && <Icon />}</p>', '<p>Paid {slot}</p>', '<p><Maybe /> paid</p>')
  expect(faults).toEqual(faults.map(() => 'Text beside what comes and goes is the only child of its element: wrap it.'))
})

test('text is refused in fragments, in arrays, as what a component returns and from t.rich without a Sentence', () => {
  expect(
    faultsOf('<>{name}</>', '<>Paid</>', '<p>{names}</p>', '<p><Price /></p>', '<p>{t.rich("paid", {})}</p>'),
  ).toEqual([
    'Text is in an element of its own, not in a fragment.',
    'Text is in an element of its own, not in a fragment.',
    'Each text of an array is in an element of its own.',
    'A component returns elements, no bare text.',
    '<Sentence> goes around t.rich(…), and gives each of its texts an element.',
  ])
})

test('text alone in its element, fixed sentences with marks and elements beside each other are free', () => {
  const faults = faultsOf(
    '<p>{name}</p>',
    '<p>{busy ? name : icon}</p>',
    '<p>{`${name} × ${count}`}</p>',
    '<p>Read <b>this</b> before <Icon />.</p>',
    '<p><span>{name}</span> {icon}</p>',
    '<p>{name && <Icon />}{slot}{names.map((each) => <b key={each}>{each}</b>)}</p>',
    '<p><Sentence>{t.rich("paid", {})}</Sentence></p>',
  )
  expect(faults).toEqual(faults.map(() => null))
})
