import { randomBytes } from 'node:crypto'
import { storageOf } from '../../../lib/ports/ports.ts'
import { type Check, ok, wrong } from '../check.ts'
import { remedyFor } from '../remedy.ts'

/** Writes a small file where media is kept, reads it back and deletes it. */
export const storage: Check = {
  name: 'storage',
  run: async ({ settings, quote }) => {
    const subject = settings.S3_BUCKET ? 'S3_BUCKET' : 'MEDIA_DIR'
    const remedy = settings.S3_BUCKET
      ? 'The bucket must exist at S3_ENDPOINT, and its key be allowed to put, get and delete objects.'
      : 'The folder must be writable by the user that web and worker run as, and be the same for all of them.'
    const files = storageOf(settings)
    const name = `doctor-${randomBytes(8).toString('hex')}.png`
    const bytes = randomBytes(64)
    try {
      await files.put(name, bytes, 'image/png')
      const found = await files.get(name)
      await files.remove(name)
      if (!found || !bytes.equals(found.bytes)) return [wrong(subject, 'What was written is not what is read.', remedy)]
      if (await files.get(name)) return [wrong(subject, 'What was deleted is still there.', remedy)]
      return [ok(subject, 'Files can be written, read and deleted.')]
    } catch (error) {
      await files.remove(name).catch(() => undefined)
      return [wrong(subject, `Files can’t be kept: ${quote(error)}`, remedyFor(error, remedy))]
    }
  },
}
