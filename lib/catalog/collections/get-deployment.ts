import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { type DeploymentRecord, deploymentOf } from './show-collection.ts'

/** A collection's deployment. Throws `not_found` when none was requested. */
export async function getDeployment(ctx: Context, collectionId: string): Promise<DeploymentRecord> {
  const row = await ctx.db.collection.findFirst({ where: { id: collectionId } })
  const record = row && (await deploymentOf(ctx, row))
  if (!record) throw notFound()
  return record
}
