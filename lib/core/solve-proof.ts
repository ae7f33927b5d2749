import { createSHA256 } from 'hash-wasm'
import { beginsWithZeroBits } from './proof-of-work.ts'

/**
 * Searches for a proof: a nonce so that SHA-256 of `<challenge>.<nonce>` begins with `difficulty` zero bits. Gives
 * `<challenge>.<nonce>`. It keeps its thread busy until it is done, about 2^difficulty hashes of a million a second, so
 * a page runs it in a worker.
 */
export async function solveProof(challenge: string, difficulty: number): Promise<string> {
  const hasher = await createSHA256()
  const start = hasher.init().update(`${challenge}.`).save()
  for (let at = 0; ; at++) {
    const nonce = at.toString(36)
    if (beginsWithZeroBits(hasher.load(start).update(nonce).digest('binary'), difficulty))
      return `${challenge}.${nonce}`
  }
}
