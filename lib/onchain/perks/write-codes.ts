import { Prisma, type Perk } from '../../../generated/prisma/client.ts'
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import type { Context } from '../../platform/auth/context.ts'
import { printOf, sealPerk } from './perk-content.ts'

/** Codes that a perk has at most. */
const MAX_CODES = 100_000

/**
 * Enters the codes that a perk doesn't have yet, in their order, and counts them. Call it in the transaction that made
 * or locked the perk. Returns the perk, and how many are new. Throws `conflict` for more than a perk can have.
 */
export async function writeCodes(
  tx: Context,
  perkId: string,
  printKey: string,
  codes: readonly string[],
): Promise<{ perk: Perk; added: number }> {
  const rows = [...new Set(codes)].map((code) => {
    const id = newId()
    return { id, code: Buffer.from(sealPerk(id, code)), print: Buffer.from(printOf(printKey, code)) }
  })
  const entered = await tx.sql(Prisma.sql`
    INSERT INTO perk_codes (id, organization_id, perk_id, code, print, created_at)
    SELECT c.id, ${tx.organizationId}::uuid, ${perkId}::uuid, c.code, c.print, ${tx.now()}
    FROM unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ code }) => code)}::bytea[],
        ${rows.map(({ print }) => print)}::bytea[])
      AS c (id, code, print)
    ON CONFLICT (perk_id, print) DO NOTHING RETURNING 1`)
  const [perk] = await tx.db.perk.updateManyAndReturn({
    where: { id: perkId, codeCount: { lte: MAX_CODES - entered.length } },
    data: { codeCount: { increment: entered.length } },
  })
  if (!perk)
    throw new AppError('conflict', `A perk has ${MAX_CODES.toLocaleString('en')} codes at most. Make another perk.`)
  return { perk, added: entered.length }
}
