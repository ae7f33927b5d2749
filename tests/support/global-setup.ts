import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort } from '../../scripts/launcher/ports.ts'
import { awaitPostgres, preparePostgres, removePostgres } from '../../scripts/launcher/postgres.ts'
import { spawnProgram, stopChild } from '../../scripts/launcher/processes.ts'
import { prepareDatabase } from './prepare-database.ts'
import { keepDatabasesReady } from './ready-databases.ts'

/** One PostgreSQL for the whole run, with a migrated database of which every test file gets a copy. */
export default async function setup(): Promise<() => Promise<void>> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-test-'))
  fs.chmodSync(dataDir, 0o755)
  const settings = {
    max_connections: 400,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    shared_preload_libraries: 'pg_stat_statements', // for tests that look at what statements read
    // Shared by the databases of all files: when it is full, the rarest statements are forgotten.
    'pg_stat_statements.max': 20_000,
  }
  const postgres = await preparePostgres({ dataDir, port: await freePort(), password: 'test', settings })
  const child = spawnProgram(postgres.program)
  await awaitPostgres(postgres.url)
  await prepareDatabase(postgres.url)
  process.env.TEST_DATABASE_TEMPLATE = postgres.url
  process.env.TEST_POSTGRES_LOG = postgres.program.output
  const stopMaking = await keepDatabasesReady(postgres.url)
  return async () => {
    await stopMaking()
    await stopChild(child, 'SIGINT')
    removePostgres(dataDir)
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
}
