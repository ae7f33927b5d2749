// Part of `npm run build`: writes characters that Latin-1 lacks as escapes in the code that the web process runs. V8 keeps the source of
// code in memory, and in two bytes a character where only one of them (’ say) isn't in Latin-1 (docs/decisions/0067).
import fs from 'node:fs'
import path from 'node:path'
import { escapeCode } from './escape-code.ts'

const folder = path.resolve(import.meta.dirname, '../.next/server')
const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
let escaped = 0
for (const name of files) {
  const file = path.join(folder, name)
  if (!fs.statSync(file).isFile()) continue
  const code = fs.readFileSync(file, 'utf8')
  const plain = escapeCode(code)
  if (plain === code) continue
  fs.writeFileSync(file, plain)
  escaped++
}
console.log(`${escaped} files of the build are escaped.`)
