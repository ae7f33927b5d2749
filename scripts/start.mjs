// npm start: the web process, as `npm run build` bundled it. It isn't TypeScript, since Node.js would keep its compiler
// in memory.
import fs from 'node:fs'

const bundled = new URL('../.next/web/web.mjs', import.meta.url)
if (fs.existsSync(bundled)) await import(bundled.href)
else {
  console.error('Build it first: npm run build')
  process.exitCode = 1
}
