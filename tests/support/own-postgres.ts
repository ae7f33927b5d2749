import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort } from '../../scripts/launcher/ports.ts'
import { awaitPostgres, preparePostgres, removePostgres } from '../../scripts/launcher/postgres.ts'
import { spawnProgram, stopChild } from '../../scripts/launcher/processes.ts'
import { atFileEnd } from './file-end.ts'
import { prepareDatabase } from './prepare-database.ts'
import { followLog } from './process-logs.ts'

export type OwnPostgres = Awaited<ReturnType<typeof startOwnPostgres>>

/**
 * Starts a PostgreSQL with a migrated database for this test file alone. Call it before any file of lib/ is loaded.
 * Nothing that was committed is lost when it is killed. `durable`: it waits for the disk, as an installation's does.
 * `under`: the folder in which its own is made.
 */
export async function startOwnPostgres({
  durable = false,
  under = os.tmpdir(),
  given = {} as Record<string, string>,
} = {}) {
  const dataDir = fs.mkdtempSync(path.join(under, 'vitrine-test-'))
  fs.chmodSync(dataDir, 0o755)
  const settings: Record<string, string> = { ...(durable ? {} : { fsync: 'off' }), ...given }
  const { program, url } = await preparePostgres({ dataDir, port: await freePort(), password: 'test', settings })
  followLog(program.output)
  let child = spawnProgram(program)
  atFileEnd(async () => {
    await stopChild(child, 'SIGINT')
    removePostgres(dataDir)
    fs.rmSync(dataDir, { recursive: true, force: true })
  })
  await awaitPostgres(url)
  await prepareDatabase(url)
  const start = async (): Promise<void> => {
    await program.prepare?.()
    child = spawnProgram(program)
    await awaitPostgres(url)
  }
  /** Ends the server and starts it again, as the launcher does; resolves when it answers. */
  const endBy = async (signal: 'SIGKILL' | 'SIGINT'): Promise<void> => {
    await stopChild(child, signal)
    await start()
  }
  return {
    /** Kills the server, and waits until it answers again. */
    kill: () => endBy('SIGKILL'),
    /** The same in order: the server ends its connections and writes everything. */
    restart: () => endBy('SIGINT'),
    /** Ends it in order, until `start`. */
    stop: () => stopChild(child, 'SIGINT'),
    /** Resolves when it answers. */
    start,
    /** Whether its process has ended, by itself too. */
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
  }
}
