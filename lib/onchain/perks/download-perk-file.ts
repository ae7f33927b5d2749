import { notFound } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { downloadPerkFile as endpoint } from '../../platform/api/perks.ts'
import { buyerContext } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { assertHeld, findHolding, comingWith } from './find-holding.ts'
import { unsealPerk } from './perk-content.ts'

const PARTS_AT_ONCE = 8
const PARTS: Statement = {
  name: 'perk_file_parts_from',
  text: `SELECT id::text AS id, bytes FROM perk_file_parts
    WHERE perk_id = $1::uuid AND place >= $2::int ORDER BY place LIMIT ${PARTS_AT_ONCE}`,
}

/**
 * The bytes of a perk's file, part by part, for whoever holds the item. Throws as `findHolding` does, and `conflict`
 * before the arrival of the item is final.
 */
export async function downloadPerkFile(
  anyone: Context,
  address: string,
  itemId: string,
  perkId: string,
  { proof }: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const holding = await findHolding({ anyone, address, itemId, proof })
  assertHeld(holding)
  const ctx = buyerContext(anyone, holding.organizationId)
  const perk = await ctx.db.perk.findFirst({ where: { id: perkId, kind: 'FILE', ...comingWith(holding) } })
  if (!perk) throw notFound()
  return { name: perk.fileName!, pieces: partsOf(ctx, perkId, perk.fileBytes!) }
}

async function* partsOf(ctx: Context, perkId: string, bytes: number): AsyncGenerator<Uint8Array> {
  let sent = 0
  for (let place = 0; sent < bytes; place += PARTS_AT_ONCE) {
    const parts = await ctx.rows<{ id: string; bytes: Uint8Array }>(PARTS, perkId, place)
    if (parts.length === 0) throw new Error(`The file of the perk ${perkId} was deleted while it was sent.`)
    for (const part of parts) {
      const piece = Buffer.from(unsealPerk<string>(part.id, part.bytes), 'base64')
      sent += piece.length
      yield piece
    }
  }
}
