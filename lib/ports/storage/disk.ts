import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileFault } from '../../core/file-fault.ts'
import { writeWhole } from '../write-whole.ts'
import { assertName, contentTypeOf } from './names.ts'
import { type Storage, StorageUnavailable } from './storage.ts'

/** Files in one folder. */
export function diskStorage(dir: string): Storage {
  const unavailable = (error: unknown): never => {
    const why = fileFault(error) ?? 'see that web and worker may read and write it'
    throw new StorageUnavailable(`The folder of MEDIA_DIR can’t be used: ${why} (${(error as Error).message}).`, {
      cause: error,
    })
  }
  // The build can't know the folder, and would take every file of the project for what is read here.
  const fileOf = (name: string) => join(/* turbopackIgnore: true */ dir, name)
  return {
    async put(name, bytes, contentType) {
      assertName(name, contentType)
      await mkdir(dir, { recursive: true })
        .then(() => writeWhole(fileOf(name), bytes))
        .catch(unavailable)
    },
    async get(name) {
      const contentType = contentTypeOf(name)
      if (!contentType) return null
      const bytes = await readFile(fileOf(name)).catch((error: NodeJS.ErrnoException) =>
        error.code === 'ENOENT' ? null : unavailable(error),
      )
      return bytes && { bytes, contentType }
    },
    async remove(name) {
      if (contentTypeOf(name)) await rm(fileOf(name), { force: true }).catch(unavailable)
    },
  }
}
