import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { loginUrl } from '../../lib/db/logins.ts'
import { DATABASE_ROLES } from '../../lib/db/session.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { installPackages } from '../../scripts/test-runner/apt.ts'
import { atFileEnd } from './file-end.ts'
import { until } from './until.ts'

const PLACES = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer']

function findPgBouncer(): string {
  const known = () => PLACES.find((place) => fs.existsSync(place))
  const found = known() ?? (installPackages('pgbouncer') ? known() : undefined)
  if (!found) throw new Error('This test needs PgBouncer. Install it with: sudo apt-get install -y pgbouncer')
  return found
}

/**
 * Starts a PgBouncer in transaction mode before this file's database, with few connections for many clients and as it
 * is configured without more: it refuses start-up options and knows no names of statements from other connections.
 * `more` are lines of its settings. Returns DATABASE_URL through it.
 */
export async function startPgBouncer(more = ''): Promise<string> {
  const program = findPgBouncer()
  const { hostname, port: serverPort, pathname, password } = new URL(process.env.DATABASE_URL!)
  const port = await freePort()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-pgbouncer-'))
  fs.chmodSync(folder, 0o755)
  const logins = DATABASE_ROLES.map((role) => new URL(loginUrl(process.env.DATABASE_URL!, role)).username)
  fs.writeFileSync(path.join(folder, 'users.txt'), logins.map((login) => `"${login}" "${password}"\n`).join(''))
  fs.writeFileSync(
    path.join(folder, 'pgbouncer.ini'),
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${folder}/users.txt
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
${more}
`,
  )
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(program, ['-q', ...user, path.join(folder, 'pgbouncer.ini')], { stdio: 'ignore' })
  atFileEnd(() => {
    child.kill('SIGKILL')
    fs.rmSync(folder, { recursive: true })
  })
  const url = Object.assign(new URL(process.env.DATABASE_URL!), {
    hostname: '127.0.0.1',
    port: String(port),
  }).toString()
  await until('PgBouncer', async () => {
    const client = new pg.Client({ connectionString: loginUrl(url, 'vitrine_app') })
    return client.connect().then(
      () => client.end().then(() => true),
      () => null,
    )
  })
  return url
}
