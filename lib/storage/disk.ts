import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Storage } from './storage.ts'

const TYPES: Record<string, string> = { '.webp': 'image/webp', '.png': 'image/png', '.jpg': 'image/jpeg' }
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,150}\.[a-z]{3,4}$/

/** Files in one folder. A file appears whole or not at all, whoever dies in the middle. */
export function diskStorage(dir: string): Storage {
  return {
    async put(name, bytes, contentType) {
      if (!NAME.test(name) || TYPES[extname(name)] !== contentType) throw new Error(`Not a name for ${contentType}: ${name}.`)
      await mkdir(dir, { recursive: true })
      const draft = join(dir, `.${name}.${randomBytes(6).toString('hex')}`)
      await writeFile(draft, bytes)
      await rename(draft, join(dir, name))
    },
    async get(name) {
      const contentType = TYPES[extname(name)]
      if (!NAME.test(name) || !contentType) return null
      try {
        return { bytes: await readFile(join(dir, name)), contentType }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
  }
}
