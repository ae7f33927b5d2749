import { statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'

const NAME = /^vitrine-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/

/** The file that a backup goes into: the one named, or in a folder one with the time in its name. */
export function backupFileOf(to: string, now: Date): string {
  const isFolder = to.endsWith('/') || statSync(to, { throwIfNoEntry: false })?.isDirectory()
  return isFolder ? path.join(to, `vitrine-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`) : to
}

/**
 * Deletes all but the newest backups of a folder, by the time in their names, and returns the names. Other files stay.
 */
export async function deleteOlderBackups(folder: string, keep: number): Promise<string[]> {
  const older = (await readdir(folder))
    .filter((name) => NAME.test(name))
    .sort()
    .reverse()
    .slice(keep)
  for (const name of older) await rm(path.join(folder, name))
  return older
}
