import { newId } from '../../core/id.ts'
import type { Context } from '../../platform/auth/context.ts'
import { sealPerk } from './perk-content.ts'

/** Small enough that many of them are sealed again in one batch (lib/data/keys). */
const PART_BYTES = 64 * 1024
const PARTS_AT_ONCE = 16

/**
 * Stores a file in sealed parts, some in each turn of the event loop. They are in the database and not with the
 * pictures, which anybody may read.
 */
export async function writeFile(tx: Context, perkId: string, bytes: Uint8Array): Promise<void> {
  const places = Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, place) => place)
  const sealedPart = (place: number) => {
    const id = newId()
    const part = Buffer.from(bytes.subarray(place * PART_BYTES, (place + 1) * PART_BYTES)).toString('base64')
    return { id, organizationId: tx.organizationId, perkId, place, bytes: sealPerk(id, part) }
  }
  for (let from = 0; from < places.length; from += PARTS_AT_ONCE)
    await tx.db.perkFilePart.createMany({ data: places.slice(from, from + PARTS_AT_ONCE).map(sealedPart) })
}
