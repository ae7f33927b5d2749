import { compareLanes } from '../../lib/onchain/recovery/compare-lanes.ts'
import { listPerksToRecheck } from '../../lib/onchain/perks/list-perks-to-recheck.ts'
import type { SystemContext } from '../../lib/platform/auth/context.ts'
import { ChainUnavailable } from '../../lib/ports/chain/chain.ts'
import { checkAccounts } from '../../lib/selling/payments/list-accounts.ts'

/** Compares the books with every chain, and begins recoveries. Throws an Error when a network can't be read. */
export async function compareChains(worker: SystemContext): Promise<void> {
  for (const chain of worker.ports.chains.values()) {
    const { name } = chain.network
    try {
      const behind = await compareLanes(worker, chain)
      for (const operator of worker.ports.keys.operators)
        console.log(
          behind.includes(operator)
            ? `${name}, operator ${operator}: the books are behind the chain. The worker lets them catch up.`
            : `${name}, operator ${operator}: the books know all of its transactions.`,
        )
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
      throw new Error(`${name}: no node answers, so nothing can be said of it. Start nothing before this works.`, {
        cause: error,
      })
    }
  }
}

/** Enters the payments that the books lack, and prints for each card account what was found. */
export async function compareAccounts(worker: SystemContext): Promise<void> {
  for (const { accountId, found, recovering, failure } of await checkAccounts(worker)) {
    if (found.length > 0)
      console.log(`Card account ${accountId}: ${found.length} payments were missing and are entered.`)
    if (failure !== null) console.log(`Card account ${accountId} could not be read completely: ${failure}`)
    console.log(
      recovering
        ? `Card account ${accountId}: the books are behind. The worker lets them catch up.`
        : `Card account ${accountId}: the books know all of its payments.`,
    )
  }
}

/** Names the perks of which codes may have been given since the backup, of which nothing outside knows. */
export async function namePerks(worker: SystemContext): Promise<void> {
  for (const { id, title, seller, left } of await listPerksToRecheck(worker))
    console.log(
      `CODES      perk ${id} (${title}, of ${seller}): some of its ${left} open codes may have been given since the backup`,
    )
}
