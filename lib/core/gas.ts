/** Wei in one gwei. */
export const GWEI = 1_000_000_000n

/** Wei of an amount that a setting gives in whole gwei. */
export const weiOfGwei = (gwei: string): bigint => BigInt(gwei) * GWEI

/** Gas that none of our mints exceeds on its own: the bound that gas budgets and preflight checks count with. */
export const MAX_GAS_PER_MINT = 120_000n

/**
 * The gas limit to send with: the estimate and a quarter more, since state may change until the transaction is mined.
 */
export const withGasMargin = (estimate: bigint): bigint => (estimate * 5n) / 4n
