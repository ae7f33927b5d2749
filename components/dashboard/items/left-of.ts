type Stock = { max_supply: bigint | null; minted: bigint; held: bigint; kept_by: string | null }

/** Units of an item that can't be promised any more: given to others, or held. A token that our operator keeps can. */
export const goneOf = ({ minted, held, kept_by }: Stock): bigint => minted - (kept_by === null ? 0n : 1n) + held

/** Units of an item that can still be promised. null: there is no limit. */
export const leftOf = (item: Stock): bigint | null => (item.max_supply === null ? null : item.max_supply - goneOf(item))
