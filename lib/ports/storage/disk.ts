import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assertName, contentTypeOf } from './names.ts'
import type { Storage } from './storage.ts'

/** Files in one folder. Writing to a draft and renaming it makes sure that a crash never leaves half a file. */
export function diskStorage(dir: string): Storage {
  return {
    async put(name, bytes, contentType) {
      assertName(name, contentType)
      await mkdir(dir, { recursive: true })
      const draft = join(dir, `.${name}.${randomBytes(6).toString('hex')}`)
      await writeFile(draft, bytes)
      await rename(draft, join(dir, name))
    },
    async get(name) {
      const contentType = contentTypeOf(name)
      if (!contentType) return null
      try {
        return { bytes: await readFile(join(dir, name)), contentType }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    async remove(name) {
      if (contentTypeOf(name)) await rm(join(dir, name), { force: true })
    },
  }
}
