import { hexToBytes, isHex, keccak256, size, type Hex } from 'viem'

const BLOOM_BYTES = 256
const MAX_CACHED = 50_000

/** The bytes of a block's logs bloom; null for one that is missing or malformed, which tells nothing. */
export const bloomOf = (text: Hex | null): Uint8Array | null =>
  text !== null && isHex(text) && size(text) === BLOOM_BYTES ? hexToBytes(text) : null

const positions = new Map<Hex, readonly number[]>()

/** Whether a block can have a log with this address or topic. False is certain, true is not. */
export const mayContain = (bloom: Uint8Array, value: Hex): boolean =>
  bitsOf(value).every((bit) => (bloom[BLOOM_BYTES - 1 - (bit >> 3)]! & (1 << (bit & 7))) !== 0)

/**
 * The three bits that a value sets: 11 bits of each of the first three pairs of bytes of its hash (Yellow Paper,
 * section 4.3.1).
 */
function bitsOf(value: Hex): readonly number[] {
  const known = positions.get(value)
  if (known) return known
  const hash = hexToBytes(keccak256(value))
  const bits = [0, 2, 4].map((at) => ((hash[at]! << 8) | hash[at + 1]!) & 2047)
  if (positions.size >= MAX_CACHED) positions.clear()
  positions.set(value, bits)
  return bits
}
