import type { Statement } from '../../db/statements.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Holding } from './find-holding.ts'

type GivenCodes = { address: string; finalBlock: bigint; units: number }
type Move = { id: string; from: string; to: string; quantity: string; block: bigint }

const GIVEN: Statement = {
  name: 'perk_codes_given',
  text: `SELECT address, final_block AS "finalBlock", count(*)::int AS units FROM perk_codes
    WHERE perk_id = $1::uuid AND item_id = $2::uuid GROUP BY address, final_block ORDER BY final_block`,
}

const MOVES_AT_ONCE = 5_000
const MOVES: Statement = {
  name: 'moves_of_item_after',
  // Minted units are new.
  text: `SELECT id::text AS id, from_address AS "from", to_address AS "to", quantity::text AS quantity,
      block_number AS block FROM item_history
    WHERE item_id = $1::uuid AND id > $2::uuid AND type <> 'MINT' ORDER BY id LIMIT ${MOVES_AT_ONCE}`,
}

/**
 * How many of an address's units of an item have had their code of a perk. Units of an ERC-1155 token are alike, so it
 * is counted as they pass on: of what an address sends, those whose code was given leave first. A unit that goes round
 * many wallets gets one code.
 */
export async function usedUnits(ctx: Context, perkId: string, { itemId, address, isUnique }: Holding): Promise<bigint> {
  const given = await ctx.rows<GivenCodes>(GIVEN, perkId, itemId)
  if (given.length === 0) return 0n
  if (isUnique) return 1n
  const used = new Map<string, bigint>()
  const add = (holder: string, units: bigint) => used.set(holder, (used.get(holder) ?? 0n) + units)
  const waiting = [...given]
  const addUpTo = (block: bigint) => {
    while (waiting[0] && waiting[0].finalBlock < block) {
      const next = waiting.shift()!
      add(next.address, BigInt(next.units))
    }
  }
  for (let after = endOf(given[0]!.finalBlock); ;) {
    const moves = await ctx.rows<Move>(MOVES, itemId, after)
    for (const { from, to, quantity, block } of moves) {
      addUpTo(block)
      const [has, leaves] = [used.get(from) ?? 0n, BigInt(quantity)]
      const passed = has < leaves ? has : leaves
      if (passed === 0n) continue
      add(from, -passed)
      add(to, passed)
    }
    if (moves.length < MOVES_AT_ONCE) break
    after = moves.at(-1)!.id
  }
  for (const { address: holder, units } of waiting) add(holder, BigInt(units))
  return used.get(address) ?? 0n
}

/** Above all ids of history rows of a block, and below those of the next one. */
const endOf = (block: bigint): string =>
  `${block.toString(16).padStart(12, '0')}${'f'.repeat(20)}`.replace(
    /^(.{8})(.{4})(.{4})(.{4})(.{12})$/,
    '$1-$2-$3-$4-$5',
  )
