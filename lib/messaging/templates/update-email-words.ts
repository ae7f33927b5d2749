import { Prisma } from '../../../generated/prisma/client.ts'
import type { updateEmailWords as endpoint } from '../../platform/api/email-words.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { fieldError } from '../../core/errors.ts'
import { type GivenWords, type OwnWords, wordsAfter } from './own-words.ts'

const MAX_BYTES = 64 * 1024

/**
 * Replaces words of built-in mails, and sets the glossary. Throws `invalid_request` for what can't take a built-in
 * text's place.
 */
export const updateEmailWords = (
  ctx: Context,
  body: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    assertSmall(textsOf(body.words ?? {})) // before each is read
    const id = tx.organizationId
    await tx.sql(Prisma.sql`SELECT 1 FROM organizations WHERE id = ${id}::uuid FOR NO KEY UPDATE`)
    const before = await tx.db.organization.findFirstOrThrow({ where: { id }, select: { words: true, glossary: true } })
    const glossary = body.glossary ?? before.glossary
    const words = wordsAfter(before.words as OwnWords | null, body.words ?? {}, glossary)
    assertSmall(words)
    await tx.db.organization.update({ where: { id }, data: { words: words ?? Prisma.DbNull, glossary } })
    await resolveAlarm(tx, 'email_words_refused', id)
    const after = { words: words ?? {}, glossary }
    await recordAudit(tx, {
      action: 'email_words.updated',
      subject: { type: 'organization', id },
      before: { words: before.words ?? {}, glossary: before.glossary },
      after,
    })
    return after
  })

const textsOf = (words: GivenWords): string[] =>
  Object.values(words).flatMap((texts) => Object.values(texts).filter((text) => text !== null))

function assertSmall(words: unknown): void {
  if (JSON.stringify(words).length > MAX_BYTES)
    throw fieldError('invalid_request', 'words', 'All replaced words together take at most 64 KiB.')
}
