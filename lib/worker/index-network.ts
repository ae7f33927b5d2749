import { systemContext } from '../platform/auth/authenticate.ts'
import type { Chain } from '../ports/chain/chain.ts'
import { adoptTokens, type AdoptionPlaces } from '../onchain/indexer/adopt-tokens.ts'
import { type MatchPlace, matchMoves } from '../onchain/indexer/match-moves.ts'
import { advanceRecoveries } from '../onchain/recovery/advance-recoveries.ts'
import { applyVoucherFacts } from '../onchain/vouchers/apply-voucher-facts.ts'
import { indexOnce } from '../onchain/indexer/index-once.ts'
import { rememberOperators } from '../onchain/indexer/remember-operators.ts'
import { kindOf } from './due-kinds.ts'
import type { Timer } from './run-timer.ts'

/** While nothing is in flight. What others transfer meanwhile is entered within fifteen seconds. */
const INDEX_REST_SECONDS = 10

/** Indexes one network, one worker at a time. Whoever does it, the cursor's row lets each block be entered once. */
export const indexNetwork = (chain: Chain): Timer => {
  const pollMs = chain.network.finality === 'never' ? 200 : 1_000
  return {
    name: `index ${chain.network.id}`,
    rest: { kind: kindOf('index', chain.network.id), seconds: INDEX_REST_SECONDS },
    // Every process has keys of its own, which don't change while it runs.
    prepare: () => rememberOperators(systemContext('indexer'), chain),
    step: async (lease) => ((await indexOnce(systemContext('indexer', { lease }), chain)) === 'more' ? 0 : pollMs),
  }
}

/** Short, so that a buyer who used a voucher is told as soon as its block is entered. */
const FACTS_IDLE_MS = 100
const ADOPTION_IDLE_MS = 1_000

/** Applies what the entered blocks of one network say of vouchers. Any number of workers may. */
export const applyFacts = (chain: Chain): Timer => ({
  name: `apply voucher facts ${chain.network.id}`,
  rest: { kind: kindOf('apply voucher facts', chain.network.id), seconds: 60 },
  shared: true,
  step: async () => ((await applyVoucherFacts(systemContext('facts'), chain)) > 0 ? 0 : FACTS_IDLE_MS),
})

const RECOVERY_MS = 1_000
const RECOVERY_REST_SECONDS = 15

/** Looks who sent what the books of one network can't explain, and ends its recoveries once they have caught up. */
export const recoverBooks = (chain: Chain): Timer => ({
  name: `recover ${chain.network.id}`,
  rest: { kind: kindOf('recover', chain.network.id), seconds: RECOVERY_REST_SECONDS },
  step: async (lease) => {
    await advanceRecoveries(systemContext('recovery', { lease }), chain)
    return RECOVERY_MS
  },
})

/** Gives the tokens of one network's foreign contracts their items, beside the indexer. Any number of workers may. */
export const adoptContracts = (chain: Chain): Timer => {
  const places: AdoptionPlaces = new Map()
  let after: MatchPlace | null = null
  return {
    name: `adopt tokens ${chain.network.id}`,
    rest: { kind: kindOf('adopt tokens', chain.network.id), seconds: 60 },
    shared: true,
    step: async () => {
      const ctx = systemContext('adoption')
      const adopted = await adoptTokens(ctx, chain.network, places)
      const { projected, next } = await matchMoves(ctx, chain.network.id, after)
      after = next
      return adopted + projected > 0 ? 0 : ADOPTION_IDLE_MS
    },
  }
}
