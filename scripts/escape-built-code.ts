// Part of `npm run build`: writes characters that Latin-1 lacks as escapes in the code that the web process runs. V8
// keeps the source of code in memory, and in two bytes a character where only one of them (’ say) isn't in Latin-1
// (docs/decisions/0067).
import fs from 'node:fs'
import path from 'node:path'
import { escapeCode } from './escape-code.ts'

const build = path.resolve(import.meta.dirname, '../.next')
const files = ['server', 'web']
  .flatMap((part) =>
    fs
      .readdirSync(path.join(build, part), { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(build, part, name)),
  )
  .filter((file) => /\.m?js$/.test(file) && fs.statSync(file).isFile())
let escaped = 0
for (const file of files) {
  const code = fs.readFileSync(file, 'utf8')
  const plain = escapeCode(code)
  if (plain === code) continue
  fs.writeFileSync(file, plain)
  escaped++
}
console.log(`${escaped} files of the build are escaped.`)
