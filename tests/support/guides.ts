import { execFile, execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { GUIDE_PAGES } from '../../lib/platform/guides/pages.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** `instead`: it takes the place of the last block that is run, in a program of its own. */
type Block = { language: string; mark: 'run' | 'instead' | undefined; text: string }

/** What a page's program is run with, and what it prints. */
export type Program = { slug: string; command: string; file: string; output: string }

const blocksOf = (slug: string): Block[] => {
  const { file } = GUIDE_PAGES.find((page) => page.slug === slug)!
  const text = fs.readFileSync(path.join(root, file), 'utf8')
  return [...text.matchAll(/^```(\w+)(?: (run|instead))?\n([\s\S]*?)^```$/gm)].map(([, language, mark, code]) => ({
    language: language!,
    mark: mark as Block['mark'],
    text: code!,
  }))
}

const COMMANDS: Record<string, { command: string; file: string }> = {
  js: { command: process.execPath, file: 'program.mjs' },
  python: { command: 'python3', file: 'program.py' },
}
/** A block that is a file of its own says so in its first line. */
const FILE_NAME = /^(?:\/\/|#|<!--|<\?php \/\/) ([\w-]+\.(?:mjs|py|php|html))(?: -->)?\n/

/** The block of a page that is a file of this name. */
export const fileOf = (slug: string, name: string): string =>
  blocksOf(slug).find(({ text }) => FILE_NAME.exec(text)?.[1] === name)!.text

/** The pages that have blocks marked `run`. */
export const pagesToRun = (): string[] =>
  GUIDE_PAGES.map(({ slug }) => slug).filter((slug) => blocksOf(slug).some(({ mark }) => mark === 'run'))

/** Those of them that show another way, by a block marked `instead`. */
export const pagesWithAnotherWay = (): string[] =>
  pagesToRun().filter((slug) => blocksOf(slug).some(({ mark }) => mark === 'instead'))

/**
 * Writes the blocks of a page that are marked `run` as one program, or its other way, beside the helper that all of
 * them import.
 */
export function writeProgram(slug: string, folder: string, { isOtherWay = false } = {}): Program {
  fs.mkdirSync(folder, { recursive: true })
  // Packages that a block imports, such as viem, are ours.
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  for (const { text } of blocksOf('start-integrator').filter(({ text }) => FILE_NAME.test(text)))
    fs.writeFileSync(path.join(folder, FILE_NAME.exec(text)![1]!), text)
  const blocks = blocksOf(slug)
  const run = blocks.filter(({ mark, text }) => mark === 'run' && !FILE_NAME.test(text))
  const other = isOtherWay ? blocks.find(({ mark }) => mark === 'instead') : undefined
  if (other) run[run.indexOf(blocks.slice(0, blocks.indexOf(other)).findLast(({ mark }) => mark === 'run')!)] = other
  const { command, file } = COMMANDS[run[0]!.language]!
  if (command === 'python3')
    execFileSync(process.execPath, ['scripts/python-client.ts', '--to', folder], { cwd: root, stdio: 'inherit' })
  fs.writeFileSync(path.join(folder, file), run.map(({ text }) => text).join('\n'))
  const output = blocks.flatMap(({ language, text }) => (language === 'text' ? [text] : [])).join('')
  return { slug, command, file: path.join(folder, file), output }
}

/** Runs a program to its end. Gives what it printed; throws, with what it said, when it fails. */
export const runProgram = ({ command, file }: Program, env: Record<string, string>): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { env: { ...process.env, FORCE_COLOR: '0', ...env }, cwd: path.dirname(file), timeout: 120_000 }
    execFile(command, [file], options, (error, stdout, stderr) =>
      error ? reject(new Error(`${file}\n${stdout}\n${stderr}`)) : resolve(stdout),
    )
  })

/** The expected output as a pattern: `…` stands for anything within a line. */
export function patternOf({ output }: Program, origin: string): RegExp {
  const text = output.trim().replaceAll('http://localhost:3000', origin)
  return new RegExp(`^${text.split('…').map(RegExp.escape).join('.*')}$`)
}
