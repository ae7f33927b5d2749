import { createHash } from 'node:crypto'

/** Names this algorithm in a reveal's proof. docs/reveal.md describes it; a changed algorithm needs a new name. */
export const REVEAL_ALGORITHM = 'vitrine-reveal-1'

const sha256 = (...parts: Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const bytesOf = (hex: string): Buffer => Buffer.from(hex, 'hex')

/** The hash published before the seed itself. Both are 64 hex digits. */
export const commitmentOf = (seed: string): string => sha256(bytesOf(seed)).toString('hex')

/** The hash of an item's attributes, as JSON without spaces and with sorted names (RFC 8785). */
export const contentHashOf = (attributes: unknown): string =>
  sha256(Buffer.from(canonicalJson(attributes))).toString('hex')

/** One hash over all contents, ordered by token id. */
export const provenanceOf = (contentHashes: readonly string[]): string =>
  sha256(...contentHashes.map(bytesOf)).toString('hex')

/** JSON as RFC 8785 defines it, for values that came from JSON. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${canonicalJson(entry)}`).join(',')}}`
}

/**
 * Which content each position gets: a Fisher–Yates shuffle with random words from SHA-256(seed ‖ provenance ‖ counter).
 * Words that would bias the result are skipped, so that every order is equally likely.
 */
export function shuffle(count: number, seed: string, provenance: string): number[] {
  const order = Array.from({ length: count }, (_, at) => at)
  const next = randomWords(seed, provenance)
  for (let at = count - 1; at > 0; at--) {
    const choices = at + 1
    const fair = 2 ** 32 - (2 ** 32 % choices)
    let word = next()
    while (word >= fair) word = next()
    const other = word % choices
    ;[order[at], order[other]] = [order[other]!, order[at]!]
  }
  return order
}

/** An endless sequence of 32-bit numbers, eight from each hash. */
function randomWords(seed: string, provenance: string): () => number {
  let block: Buffer = Buffer.alloc(0)
  let counter = 0
  return () => {
    if (block.length === 0) {
      const count = Buffer.alloc(4)
      count.writeUInt32BE(counter++)
      block = sha256(bytesOf(seed), bytesOf(provenance), count)
    }
    const word = block.readUInt32BE(0)
    block = block.subarray(4)
    return word
  }
}
