import { fieldError } from '../../core/errors.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { updatePerk as endpoint } from '../../platform/api/perks.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { lockPerk } from './lock-perk.ts'
import { sealPerk } from './perk-content.ts'
import { perkOf } from './show-perk.ts'

const OWNERS = { text: 'TEXT', url: 'LINK' } as const

/** Changes a perk's title, whether that is public, and its text or link. */
export const updatePerk = (
  ctx: Context,
  id: string,
  { title, is_public: isPublic, text, url }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const before = await lockPerk(tx, id)
    for (const [field, value] of Object.entries({ text, url }))
      if (value !== undefined && before.kind !== OWNERS[field as keyof typeof OWNERS])
        throw fieldError('invalid_request', field, `This perk is no ${field === 'text' ? 'text' : 'link'}.`)
    const content = text !== undefined ? { text } : url !== undefined ? { url } : null
    const after = await tx.db.perk.update({
      where: { id },
      data: { title, isPublic, ...(content && { content: sealPerk(id, content) }) },
    })
    await recordAudit(tx, {
      action: 'perk.updated',
      subject: { type: 'perk', id },
      before,
      after: { ...after, ...(content && { content_changed: true }) },
    })
    return perkOf(after)
  })
