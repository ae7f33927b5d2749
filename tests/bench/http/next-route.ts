import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { ROWS } from './rows.ts'

const root = path.resolve(import.meta.dirname, '../../..')

const ROUTE = `import pg from 'pg'
const pool = (globalThis.benchPool ??= new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 }))
export const dynamic = 'force-dynamic'
export async function GET(_, { params }) {
  const { id } = await params
  const { rows } = await pool.query({ name: 'item', text: ${JSON.stringify(ROWS.item)}, values: [id] })
  return Response.json(rows[0])
}
`

/** Builds an application of one Next route that reads one row with pg, in a folder of its own. Returns the folder. */
export async function buildNextRoute(folder: string): Promise<string> {
  const place = path.join(folder, 'app/one/[id]')
  fs.mkdirSync(place, { recursive: true })
  fs.writeFileSync(path.join(place, 'route.js'), ROUTE)
  fs.writeFileSync(
    path.join(folder, 'app/layout.jsx'),
    'export default ({ children }) => <html><body>{children}</body></html>\n',
  )
  fs.writeFileSync(
    path.join(folder, 'next.config.mjs'),
    `export default { outputFileTracingRoot: ${JSON.stringify(root)} }\n`,
  )
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "name": "bench", "private": true, "type": "module" }\n')
  const next = path.join(root, 'node_modules/next/dist/bin/next')
  await new Promise<void>((resolve, reject) => {
    const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' }
    const child = spawn(process.execPath, [next, 'build', '--webpack'], { cwd: folder, stdio: 'pipe', env })
    let output = ''
    child.stdout.on('data', (text: Buffer) => void (output += text.toString()))
    child.stderr.on('data', (text: Buffer) => void (output += text.toString()))
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`The Next route could not be built.\n${output}`)),
    )
  })
  return folder
}
