import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../auth/context.ts'
import { newId } from '../core/id.ts'

export type Audited = { action: string; subject: { type: string; id: string }; before?: object | null; after?: object | null }

/** Who did what, before and after, from where. Call it in the transaction of the change; never put a secret in. */
export async function recordAudit(tx: Context, { action, subject, before, after }: Audited): Promise<void> {
  await tx.db.auditEntry.create({
    data: {
      id: newId(),
      organizationId: tx.organizationId,
      actorType: tx.actor.type,
      actorId: 'id' in tx.actor ? tx.actor.id : null,
      action,
      subjectType: subject.type,
      subjectId: subject.id,
      ...(before && { before: plain(before) }),
      ...(after && { after: plain(after) }),
      requestId: tx.requestId,
      clientAddress: tx.clientAddress || null,
      createdAt: tx.now(),
    },
  })
}

/** bigint and Date as JSON has them. */
export const plain = (value: object): Prisma.InputJsonValue =>
  JSON.parse(JSON.stringify(value, (_, entry: unknown) => (typeof entry === 'bigint' ? entry.toString() : entry))) as Prisma.InputJsonValue
