import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { uploadMedia as endpoint } from '../../platform/api/media.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { safeString } from '../../core/wire.ts'
import { recordFile, storeImage } from './store-image.ts'
import { mediaFileOf } from './show-media.ts'

/** Keeps an uploaded image. The same file again is the same record. */
export async function uploadMedia(
  ctx: Context,
  { file }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const kept = await storeImage(ctx, { bytes: file.bytes, name: nameOf(file.name) })
  return inTransaction(ctx, async (tx) => mediaFileOf(await recordFile(tx, kept), tx.ports.addresses.origin))
}

/** A file may be called anything; a name that can't be shown is none. */
function nameOf(given: string | null): string | null {
  const last = given?.split(/[\\/]/).at(-1)?.trim() ?? ''
  return last !== '' && safeString.safeParse(last).success ? last : null
}
