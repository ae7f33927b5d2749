import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { root } from './areas.ts'
import { changed, type Mutant } from './mutants.ts'

/**
 * Those of these mutants that are still a program: they parse, and the compiler finds no wrong type in their file. `npm
 * test` compiles as well, so others would be found there. Each becomes a file beside its original, and one program
 * checks all of them.
 */
export function compiling<M extends Mutant>(mutants: readonly M[]): M[] {
  const files = new Map(
    mutants.map((mutant, at) => {
      const file = path.join(root, mutant.file)
      return [
        file.replace(/\.ts$/, `.mutant-${at}.ts`),
        { mutant, text: changed(fs.readFileSync(file, 'utf8'), mutant) },
      ]
    }),
  )
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (name) => fs.readFileSync(name, 'utf8')) as {
    config: { compilerOptions: object }
  }
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, incremental: false }, root)
  const host = ts.createCompilerHost(options)
  const program = ts.createProgram([...files.keys()], options, {
    ...host,
    fileExists: (name) => files.has(name) || host.fileExists(name),
    getSourceFile: (name, version, ...more) => {
      const text = files.get(name)?.text
      return text === undefined
        ? host.getSourceFile(name, version, ...more)
        : ts.createSourceFile(name, text, version, true)
    },
  })
  return [...files].flatMap(([name, { mutant }]) => {
    const file = program.getSourceFile(name)
    const errors = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
    return errors.length === 0 ? mutant : []
  })
}
