import { Prisma } from '../../../generated/prisma/client.ts'
import { notFound } from '../../core/errors.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { takePerkCodes as endpoint } from '../../platform/api/perks.ts'
import { buyerContext } from '../../platform/auth/authenticate.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { recordEvents } from '../../messaging/webhooks/record-event.ts'
import { isRecovering, recoveringError } from '../../orders/recovering.ts'
import { assertHeld, findHolding, type Holding, comingWith, readHolding } from './find-holding.ts'
import { heldPerkOf, openCodes } from './show-held.ts'

/**
 * Gives the holder of an item the codes of a perk: one for each unit that has had none. Repeated, also after a crash,
 * it shows the same codes. Codes of a perk are given one request after the other, and the units are counted under its
 * lock. Throws as `findHolding` does, `conflict` before the arrival of the item is final, and `recovering` while the
 * books are behind the network.
 */
export async function takePerkCodes(
  anyone: Context,
  address: string,
  itemId: string,
  perkId: string,
  { proof }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const asked = { anyone, address, itemId, proof }
  const { organizationId } = await findHolding(asked)
  return inTransaction(buyerContext(anyone, organizationId), async (tx) => {
    await tx.sql(
      Prisma.sql`SELECT 1 FROM perks WHERE id = ${perkId}::uuid
          AND organization_id = ${organizationId}::uuid FOR UPDATE`,
    )
    const holding = await readHolding(tx, asked)
    assertHeld(holding)
    return give(tx, perkId, holding)
  })
}

async function give(tx: Context, perkId: string, holding: Holding): Promise<Output<typeof endpoint>> {
  const perk = await tx.db.perk.findFirst({ where: { id: perkId, kind: 'CODES', ...comingWith(holding) } })
  if (!perk) throw notFound()
  const open = await openCodes(tx, perk, holding)
  // Codes that were given since a backup are unknown until the books have caught up.
  if (open > 0 && (await isRecovering(tx, holding.collectionId))) throw recoveringError()
  const given = await giveCodes(tx, perkId, holding, open)
  if (given.length === 0) return heldPerkOf(tx, perk, holding)
  const after = await tx.db.perk.update({
    where: { id: perkId },
    data: { givenCount: { increment: given.length } },
  })
  await recordEvents(
    tx,
    given.map(({ id, unit }) => ({
      organizationId: tx.organizationId,
      type: 'perk.code_given' as const,
      key: id,
      data: {
        perk_id: perkId,
        perk_code_id: id,
        item_id: holding.itemId,
        collection_id: holding.collectionId,
        unit: String(unit),
        address: holding.address,
      },
    })),
  )
  return heldPerkOf(tx, after, holding)
}

/** The next codes that nobody has, for the next units of the item. */
const giveCodes = (tx: Context, perkId: string, { itemId, address, finalBlock }: Holding, count: number) =>
  count === 0
    ? Promise.resolve([])
    : tx.sql<{ id: string; unit: number }>(Prisma.sql`
        WITH free AS MATERIALIZED (
          SELECT id FROM perk_codes WHERE perk_id = ${perkId}::uuid AND item_id IS NULL
          ORDER BY id LIMIT ${count}::int FOR UPDATE),
        numbered AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM free),
        last AS (SELECT coalesce(max(unit), 0) AS unit FROM perk_codes
          WHERE perk_id = ${perkId}::uuid AND item_id = ${itemId}::uuid)
        UPDATE perk_codes p SET item_id = ${itemId}::uuid, unit = last.unit + numbered.place, address = ${address},
          final_block = ${finalBlock}::bigint, given_at = ${tx.now()}
        FROM numbered, last WHERE p.id = numbered.id RETURNING p.id::text AS id, p.unit`)
