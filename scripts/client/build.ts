import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { generatedSources } from './sources.ts'

const root = path.resolve(import.meta.dirname, '../..')
const home = path.join(root, 'packages/client')
const BESIDE = ['package.json', 'README.md', '../../LICENSE']

/**
 * Compiles the client into a folder, as it is packed: JavaScript with types, package.json, README and license. Throws
 * an Error that names what doesn't compile.
 */
export function buildClient(to: string): void {
  fs.rmSync(to, { recursive: true, force: true })
  const sources = path.join(to, 'src')
  fs.cpSync(path.join(home, 'src'), sources, { recursive: true })
  for (const [name, text] of Object.entries(generatedSources())) fs.writeFileSync(path.join(sources, name), text)
  for (const file of BESIDE) fs.copyFileSync(path.join(home, file), path.join(to, path.basename(file)))
  compile(sources, path.join(to, 'dist'))
  fs.rmSync(sources, { recursive: true })
  fs.chmodSync(path.join(to, 'dist/cli/main.js'), 0o755)
}

function compile(sources: string, to: string): void {
  const files = fs
    .readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(sources, name))
  const program = ts.createProgram(files, {
    rootDir: sources,
    outDir: to,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    typeRoots: [path.join(root, 'node_modules/@types')],
    types: ['node'],
    declaration: true,
    strict: true,
    exactOptionalPropertyTypes: false,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    newLine: ts.NewLineKind.LineFeed,
  })
  const { diagnostics } = program.emit()
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics]
  if (problems.length > 0)
    throw new Error(
      ts.formatDiagnostics(problems, {
        getCurrentDirectory: () => sources,
        getCanonicalFileName: (name) => name,
        getNewLine: () => '\n',
      }),
    )
}
