import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { networksOf } from '../../ports/ports.ts'
import { networkFacts } from './network-facts.ts'

const NEWCOMER: Statement = {
  name: 'is_newcomer',
  text: 'SELECT newcomer_since IS NOT NULL AS newcomer FROM organizations WHERE id = $1::uuid',
}

/**
 * The networks that the organization may use: until it is approved, test networks only. `deployable`: our contracts are
 * there.
 */
export async function listOwnNetworks(ctx: Context) {
  const [organization] = await ctx.rows<{ newcomer: boolean }>(NEWCOMER, ctx.organizationId)
  const deployable = new Set(networksOf(ctx.ports).flatMap(({ id, contracts }) => (contracts ? [id] : [])))
  return networkFacts(ctx)
    .filter(({ testnet }) => testnet || !organization!.newcomer)
    .map((facts) => ({ ...facts, deployable: deployable.has(facts.id) }))
}
