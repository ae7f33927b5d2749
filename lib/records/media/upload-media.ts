import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { uploadMedia as endpoint } from '../../platform/api/media.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { safeString } from '../../core/wire.ts'
import { recordFile, storeImage } from './store-image.ts'
import { mediaFileOf } from './show-media.ts'

/**
 * Stores an uploaded image. Uploading the same file again returns the same record. Throws `image_invalid` and
 * `movement_lost`.
 */
export async function uploadMedia(
  ctx: Context,
  { file, still }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const image = await storeImage(ctx, { bytes: file.bytes, name: fileNameIn(file.name), still })
  return inTransaction(ctx, async (tx) => mediaFileOf(await recordFile(tx, image), tx.ports.addresses.origin))
}

/**
 * The file's name in one form of Unicode, as searches compare it, without its folder; null when it can't be shown
 * safely.
 */
export function fileNameIn(given: string | null): string | null {
  const last = given?.split(/[\\/]/).at(-1)?.normalize('NFC').trim() ?? ''
  return last !== '' && safeString.safeParse(last).success ? last : null
}
