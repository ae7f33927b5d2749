// npm run image:files -- --to <folder>: copies what production needs, and nothing else: programs with every file they
// import, built pages, migrations. Run it after npm run build.
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { traceProduction, WHOLE } from './trace.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** Of the build: what only builds use, and maps of sources that aren't copied. */
const ONLY_FOR_BUILDS =
  /^\.next\/(?:cache|dev|diagnostics|trace|trace-build|turbopack|types)(?:\/|$)|\.(?:map|nft\.json)$/

const { to } = parseArgs({ options: { to: { type: 'string' } } }).values
if (!to || (fs.existsSync(to) && fs.readdirSync(to).length > 0))
  fail('Name an empty folder: npm run image:files -- --to <folder>')
if (!fs.existsSync(path.join(root, '.next/BUILD_ID'))) fail('Build the pages first: npm run build')

const copy = (file: string) =>
  fs.cpSync(path.join(root, file), path.join(to, file), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (from) => !ONLY_FOR_BUILDS.test(path.relative(root, from)),
  })
const files = await traceProduction(root)
for (const file of [...files, ...WHOLE, '.next']) copy(file)
console.log(`${files.length} files and the built pages are in ${to}.`)

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
