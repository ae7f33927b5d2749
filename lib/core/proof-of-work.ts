import { sha256, stringToBytes } from 'viem'

/** Whether the SHA-256 of a proof (`<challenge>.<nonce>`) begins with `difficulty` zero bits. */
export function isProof(proof: string, difficulty: number): boolean {
  const hash = sha256(stringToBytes(proof), 'bytes')
  for (let bit = 0; bit < difficulty; bit++) if (hash[bit >> 3]! & (0x80 >> (bit & 7))) return false
  return true
}

const BATCH = 2_000

/** Searches for a proof in batches that yield to the event loop, so that a page stays responsive. Gives `<challenge>.<nonce>`. */
export async function solveProof(challenge: string, difficulty: number): Promise<string> {
  for (let nonce = 0; ;) {
    for (const end = nonce + BATCH; nonce < end; nonce++) {
      const proof = `${challenge}.${nonce.toString(36)}`
      if (isProof(proof, difficulty)) return proof
    }
    await new Promise((resolve) => setTimeout(resolve))
  }
}
