import type { Output } from '../../platform/api/endpoint.ts'
import type { getImport as endpoint } from '../../platform/api/imports.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { importOf } from './show-import.ts'

export async function getImport(ctx: Context, id: string): Promise<Output<typeof endpoint>> {
  const row = await ctx.db.import.findFirst({ where: { id } })
  if (!row) throw notFound()
  return importOf(ctx, row)
}
