import { fieldError } from '../../core/errors.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { addPerkCodes as endpoint } from '../../platform/api/perks.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { lockPerk } from './lock-perk.ts'
import { unsealPerk } from './perk-content.ts'
import { perkOf } from './show-perk.ts'
import { writeCodes } from './write-codes.ts'

/** Adds codes to a perk that has some. Those that it has already are left out. */
export const addPerkCodes = (
  ctx: Context,
  id: string,
  { codes }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const before = await lockPerk(tx, id)
    if (before.kind !== 'CODES') throw fieldError('invalid_request', 'codes', 'This perk has no codes.')
    const { printKey } = unsealPerk<{ printKey: string }>(id, before.content)
    const { perk, added } = await writeCodes(tx, id, printKey, codes)
    await recordAudit(tx, { action: 'perk.codes_added', subject: { type: 'perk', id }, before, after: perk })
    return { added, perk: perkOf(perk) }
  })
