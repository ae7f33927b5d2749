import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import type { Chain } from '../../lib/ports/chain/chain.ts'
import { adoptTokens } from '../../lib/onchain/indexer/adopt-tokens.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { matchMoves } from '../../lib/onchain/indexer/match-moves.ts'
import { applyVoucherFacts } from '../../lib/onchain/vouchers/apply-voucher-facts.ts'

/** Runs the indexer up to the chain’s head, and then everything that follows from what it entered. */
export async function catchUpWith(chain: Chain): Promise<void> {
  for (let rounds = 0; rounds < 500; rounds++) {
    if ((await indexOnce(systemContext('test'), chain)) !== 'caught_up') continue
    return settleIndexed(chain)
  }
  throw new Error('The indexer never caught up.')
}

/** Applies what the entered logs say of vouchers, and gives foreign tokens their items. */
async function settleIndexed(chain: Chain): Promise<void> {
  const worker = systemContext('test')
  while ((await applyVoucherFacts(worker, chain)) > 0);
  while ((await adoptTokens(worker, chain.network)) > 0);
  await matchMoves(worker, chain.network.id)
}
