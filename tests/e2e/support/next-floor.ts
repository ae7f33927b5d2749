import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'

const root = path.resolve(import.meta.dirname, '../../..')

const FILES = {
  'app/layout.jsx': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>',
  'app/page.jsx': "import { Count } from './count'\nexport default () => <Count />",
  'app/count.jsx':
    "'use client'\nimport { useState } from 'react'\nexport function Count() {\n  const [count, setCount] = useState(0)\n  return <button onClick={() => setCount(count + 1)}>{count}</button>\n}",
  'next.config.mjs': `export default { turbopack: { root: ${JSON.stringify(root)} }, outputFileTracingRoot: ${JSON.stringify(root)} }`,
  'package.json': '{ "name": "floor", "private": true, "type": "module" }',
}

/**
 * The script of a Next page with one client component and nothing else, in bytes of Brotli. Builds one, which takes a
 * minute.
 */
export function scriptBytesOfEmptyPage(): number {
  const folder = path.join(root, '.test/next-floor')
  fs.rmSync(folder, { recursive: true, force: true })
  for (const [name, content] of Object.entries(FILES)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), `${content}\n`)
  }
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'node_modules/next/dist/bin/next'), 'build'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    },
  )
  if (status !== 0) throw new Error(`The empty page could not be built.\n${stderr}`)
  const html = fs.readFileSync(path.join(folder, '.next/server/app/index.html'), 'utf8')
  const scripts = [...html.matchAll(/<script\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => !/nomodule/i.test(tag)) // for browsers without modules only
    .flatMap((tag) => /src="\/_next\/([^"?]+)/.exec(tag)?.[1] ?? [])
  return [...new Set(scripts)]
    .map((name) => brotliCompressSync(fs.readFileSync(path.join(folder, '.next', name))).length)
    .reduce((sum, bytes) => sum + bytes, 0)
}
