/** A position on a chain: a log, and for batch transfers an entry of it. */
export type Place = { networkId: number; blockNumber: bigint; logIndex: number; part: number }

/**
 * The id of a history row, derived from its position on the chain: within a network ids sort in chain order, and
 * rebuilding the table gives the same ids. UUIDv8: block 48 bits, log index 24, part 18, network 32.
 */
export function historyId({ networkId, blockNumber, logIndex, part }: Place): string {
  const high = (blockNumber << 16n) | 0x8000n | BigInt(logIndex >> 12)
  const low = (0b10n << 62n) | (BigInt(logIndex & 0xfff) << 50n) | (BigInt(part) << 32n) | BigInt(networkId)
  const digits = ((high << 64n) | low).toString(16).padStart(32, '0')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * No block's gas pays for more entries than this; the bound also protects our tables on chains without such a limit.
 */
export const MAX_PARTS = 2 ** 18
