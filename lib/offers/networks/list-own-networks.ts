import type { Context } from '../../platform/auth/context.ts'
import { networksOf } from '../../ports/ports.ts'
import { networkFacts } from './network-facts.ts'

/** The networks that the organization may use: until it is approved, test networks only. `deployable`: our contracts are there. */
export async function listOwnNetworks(ctx: Context) {
  const where = { id: ctx.organizationId }
  const { newcomerSince } = await ctx.db.organization.findFirstOrThrow({ where, select: { newcomerSince: true } })
  const deployable = new Set(networksOf(ctx.ports).flatMap(({ id, contracts }) => (contracts ? [id] : [])))
  return networkFacts(ctx)
    .filter(({ testnet }) => testnet || !newcomerSince)
    .map((facts) => ({ ...facts, deployable: deployable.has(facts.id) }))
}
