import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { runToEnd } from '../../../../scripts/launcher/processes.ts'

/** Packages by their exact versions, and the files that use them. */
type Program = { name: string; packages: Record<string, string>; files: Record<string, string> }

const folders = path.resolve(import.meta.dirname, '../../../../.test/bench-peers')

/**
 * Installs the packages in a folder of their own, unless they are there. Their install scripts don't run. Returns the
 * folder.
 */
export async function installPeer({ name, packages, files }: Program): Promise<string> {
  const folder = path.join(folders, name)
  fs.mkdirSync(folder, { recursive: true })
  for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, file), text)
  const wanted = `${JSON.stringify({ name: `bench-${name}`, private: true, dependencies: packages }, null, 2)}\n`
  const manifest = path.join(folder, 'package.json')
  const finished = path.join(folder, 'installed')
  if (fs.existsSync(finished) && fs.readFileSync(finished, 'utf8') === wanted) return folder
  fs.rmSync(finished, { force: true })
  fs.writeFileSync(manifest, wanted)
  const npm = ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']
  await runToEnd(`Installing ${name}`, 'npm', npm, process.env, folder)
  fs.writeFileSync(finished, wanted)
  return folder
}

/** Makes an empty database beside the given one, with the same login. Returns its URL. */
export async function makeDatabase(beside: string, name: string): Promise<string> {
  await execute(beside, [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, `CREATE DATABASE ${name}`])
  return Object.assign(new URL(beside), { pathname: `/${name}` }).toString()
}

/** Runs statements one after the other and returns the rows of the last one. */
export async function execute<T extends object>(url: string, statements: readonly string[]): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: T[] = []
    for (const statement of statements) rows = (await client.query<T>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}
