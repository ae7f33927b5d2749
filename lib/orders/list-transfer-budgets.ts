import { Prisma } from '../../generated/prisma/client.ts'
import type { Output } from '../platform/api/endpoint.ts'
import type { listTransferBudgets as endpoint } from '../platform/api/transfer-budgets.ts'
import type { Context } from '../platform/auth/context.ts'
import { COUNTED_WEI, countedTransfers, dailyWeiOf } from './transfer-budget.ts'

type Budget = Output<typeof endpoint>['results'][number]

/** Lists the organization's daily budget for transfers of its tokens on each network of this installation. */
export async function listTransferBudgets(ctx: Context): Promise<Output<typeof endpoint>> {
  const networks = [...ctx.ports.chains.values()].map(({ network }) => network)
  return { results: await Promise.all(networks.map((network) => transferBudgetOf(ctx, network))) }
}

export async function transferBudgetOf(
  ctx: Context,
  network: { id: number; name: string; testnet: boolean },
): Promise<Budget> {
  const [set, [spent]] = await Promise.all([
    ctx.db.transferBudget.findFirst({ where: { networkId: network.id } }),
    ctx.sql<{ wei: Prisma.Decimal; transfers: bigint }>(
      Prisma.sql`SELECT ${COUNTED_WEI} AS wei, count(*) AS transfers FROM ${countedTransfers(ctx, network.id)}`,
    ),
  ])
  return {
    network_id: network.id,
    network_name: network.name,
    testnet: network.testnet,
    daily_wei: dailyWeiOf(network, set),
    is_usual: set?.dailyWei == null,
    spent_wei: BigInt(spent!.wei.toFixed()),
    transfers: spent!.transfers,
  }
}
