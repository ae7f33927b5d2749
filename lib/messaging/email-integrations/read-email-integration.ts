import type { EmailIntegration } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'

export async function readEmailIntegration(ctx: Context, id: string): Promise<EmailIntegration> {
  const row = await ctx.db.emailIntegration.findFirst({ where: { id } })
  if (!row) throw notFound()
  return row
}
