import { Prisma, type Webhook } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import { AppError, notFound } from '../../core/errors.ts'

const COLUMNS = columns('w', 'Webhook', [
  'id',
  'organizationId',
  'name',
  'url',
  'eventTypes',
  'status',
  'disabledReason',
  'secret',
  'previousSecret',
  'previousSecretUntil',
  'failingSince',
  'createdAt',
  'updatedAt',
  'deletedAt',
])
const WEBHOOK: Statement = {
  name: 'webhook_by_id',
  text: `SELECT ${COLUMNS} FROM webhooks w WHERE organization_id = $1::uuid AND id = $2::uuid`,
}

export async function readWebhook(ctx: Context, id: string): Promise<Webhook> {
  const [row] = await ctx.rows<RowOf<typeof COLUMNS>>(WEBHOOK, ctx.organizationId, id)
  if (!row) throw notFound()
  return row
}

/** The webhook's row, locked until the transaction ends. Throws `not_found`. */
export async function lockWebhook(tx: Context, id: string): Promise<Webhook> {
  await tx.sql(
    Prisma.sql`SELECT 1 FROM webhooks
      WHERE id = ${id}::uuid AND organization_id = ${tx.organizationId}::uuid FOR NO KEY UPDATE`,
  )
  return readWebhook(tx, id)
}

/** Throws `webhook_disabled` for a disabled webhook. */
export function assertEnabled({ status }: Pick<Webhook, 'status'>): void {
  if (status !== 'ENABLED') throw new AppError('webhook_disabled', 'This webhook is disabled. Enable it first.')
}
