import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Writes a file whole or not at all, on disk when it resolves: to a draft that is renamed, so that neither a crash nor
 * a full disk leaves half a file. A file of that name is replaced.
 */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const name = `.${path.basename(file)}.${randomBytes(6).toString('hex')}`
  // The build can't know the folder, and would take every file of the project for what is written here.
  const draft = path.join(/* turbopackIgnore: true */ path.dirname(file), name)
  try {
    await writeFile(draft, content, { flush: true })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined) // a disk that takes no writes has no draft either
    throw error
  }
}
