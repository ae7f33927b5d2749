import { createHash } from 'node:crypto'

/** What the proof of a reveal calls this way of drawing. docs/reveal.md says it in words; another way gets another name. */
export const REVEAL_ALGORITHM = 'vitrine-reveal-1'

const sha256 = (...parts: Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const bytesOf = (hex: string): Buffer => Buffer.from(hex, 'hex')

/** What is published of a seed before it is. Both are 64 hex digits. */
export const commitmentOf = (seed: string): string => sha256(bytesOf(seed)).toString('hex')

/** The hash of what an item holds: its attributes as JSON without spaces, names in order (RFC 8785). */
export const contentHashOf = (attributes: unknown): string =>
  sha256(Buffer.from(canonicalJson(attributes))).toString('hex')

/** One hash for all contents, in the order of their token ids. */
export const provenanceOf = (contentHashes: readonly string[]): string =>
  sha256(...contentHashes.map(bytesOf)).toString('hex')

export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${canonicalJson(entry)}`).join(',')}}`
}

/**
 * Which content each place gets: a Fisher–Yates shuffle whose dice are SHA-256(seed ‖ provenance ‖ counter). Words that would
 * favour a place are thrown away, so that every order is equally likely.
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

/** 32-bit numbers without end, eight of each hash. */
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
