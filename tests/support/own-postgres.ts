import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort } from '../../scripts/launcher/ports.ts'
import { awaitPostgres, preparePostgres, removePostgres } from '../../scripts/launcher/postgres.ts'
import { supervise } from '../../scripts/launcher/processes.ts'
import { atFileEnd } from './file-end.ts'
import { prepareDatabase } from './prepare-database.ts'
import { until } from './until.ts'

/**
 * Starts a PostgreSQL with a migrated database for this test file alone, which is started again when it ends, as the launcher does.
 * Call it before any file of lib/ is loaded. Nothing that was committed is lost when it is killed.
 */
export async function startOwnPostgres() {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-test-'))
  fs.chmodSync(dataDir, 0o755)
  const settings = { fsync: 'off' }
  const { program, url } = await preparePostgres({ dataDir, port: await freePort(), password: 'test', settings })
  const running = await supervise(
    program,
    () => undefined,
    () => undefined,
  )
  atFileEnd(async () => {
    await running.stop()
    removePostgres(dataDir)
    fs.rmSync(dataDir, { recursive: true, force: true })
  })
  await awaitPostgres(url)
  await prepareDatabase(url)
  const endBy = async (signal: 'SIGKILL' | 'SIGINT'): Promise<void> => {
    const pid = running.pid()!
    process.kill(pid, signal)
    await until('The end of the server', () => running.pid() !== pid)
    await awaitPostgres(url)
  }
  return {
    /** Kills the server, and waits until it answers again. */
    kill: () => endBy('SIGKILL'),
    /** The same in order: the server ends its connections and writes everything. */
    restart: () => endBy('SIGINT'),
  }
}
