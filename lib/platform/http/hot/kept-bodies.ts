import { env } from '../../../core/env.ts'
import { oncePerProcess } from '../../../core/once-per-process.ts'
import type { Encoding } from '../encoding.ts'

/** A body as it is, its ETag, and its encodings since they were first asked for. It is the answer while the version holds. */
export type KeptBody = {
  version: string
  /** When the answer changes by the clock alone, and how many of these moments had passed. */
  moments: readonly number[]
  passed: number
  etag: string
  body: Buffer
  encoded: Map<Encoding, Buffer>
  /** It took the place of a body with another version when it was last asked for, so that it may well have changed again. */
  isChanging: boolean
}

/** What a kept body takes besides its bytes. */
const OVERHEAD_BYTES = 1024

const bytesOf = ({ body, encoded }: KeptBody): number =>
  [...encoded.values()].reduce((sum, { length }) => sum + length, body.length + OVERHEAD_BYTES)

/** These bytes in memory of their own. Node cuts short ones from larger buffers, up to 64 kB, and whoever keeps a slice keeps the whole. */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  own.set(bytes)
  return own
}

/** Bodies by what they answer, at most so many bytes: those that were asked for last. Any of them may be gone at any time. */
export class KeptBodies {
  private readonly kept = new Map<string, { body: KeptBody; bytes: number }>()
  private bytes = 0
  maxBytes: number

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  get(id: string): KeptBody | undefined {
    const found = this.kept.get(id)
    if (!found) return undefined
    this.kept.delete(id)
    this.kept.set(id, found)
    return found.body
  }

  /** Also after an encoding was added. */
  set(id: string, body: KeptBody): void {
    this.delete(id)
    const bytes = bytesOf(body) + id.length
    this.kept.set(id, { body, bytes })
    this.bytes += bytes
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= this.maxBytes) return
      this.delete(oldest)
    }
  }

  delete(id: string): void {
    this.bytes -= this.kept.get(id)?.bytes ?? 0
    this.kept.delete(id)
  }

  /** How many are kept, and the bytes they take. */
  get size(): { bodies: number; bytes: number } {
    return { bodies: this.kept.size, bytes: this.bytes }
  }
}

/** Of all public answers. */
export const keptBodies = oncePerProcess('kept bodies', () => new KeptBodies(env.KEPT_BODIES_MB * 1024 * 1024))
