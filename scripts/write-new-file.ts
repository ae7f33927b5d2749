import fs from 'node:fs'
import { fileFault } from '../lib/core/file-fault.ts'

/**
 * Writes a file that only its owner may read, and that isn't there yet: whole or not at all. Throws an Error for
 * people.
 */
export function writeNewFile(file: string, text: string): void {
  const descriptor = fs.openSync(file, 'wx', 0o600)
  try {
    fs.writeFileSync(descriptor, text)
    fs.fsyncSync(descriptor)
  } catch (error) {
    fs.rmSync(file, { force: true })
    throw new Error(
      `${file} was not written: ${fileFault(error) ?? 'see what is wrong there'} (${(error as Error).message}).`,
      {
        cause: error,
      },
    )
  } finally {
    fs.closeSync(descriptor)
  }
}
