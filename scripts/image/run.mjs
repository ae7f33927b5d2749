// The image's entry point: `web`, `worker`, `migrate`, `doctor` and every other command of production, by the name it
// has in package.json.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const root = path.resolve(import.meta.dirname, '../..')
/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
/** @param {string | undefined} line */
const fileOf = (line) => /^node --env-file-if-exists=\.env (?:--\S+ )*(scripts\/\S+\.m?[jt]s)$/.exec(line ?? '')?.[1]
const commands = Object.keys(scripts).filter((name) => fileOf(scripts[name]))

const [given, ...args] = process.argv.slice(2)
const name = given === 'web' ? 'start' : given
const file = name !== undefined && commands.includes(name) ? fileOf(scripts[name]) : undefined
if (!file) {
  console.error(`Say what to run: ${commands.map((each) => (each === 'start' ? 'web' : each)).join(', ')}.`)
  process.exit(1)
}
const program = path.join(root, file)
process.argv = [process.argv[0] ?? '', program, ...args]
await import(pathToFileURL(program).href)
