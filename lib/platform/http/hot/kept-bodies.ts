import { env } from '../../../core/env.ts'
import { oncePerProcess } from '../../../core/once-per-process.ts'
import type { Encoding } from '../encoding.ts'

/**
 * A body as it is, its ETag, and its encodings since they were first asked for. It is the answer while the version
 * holds.
 */
export type KeptBody = {
  version: string
  /** When the answer changes by the clock alone, and how many of these moments had passed. */
  moments: readonly number[]
  passed: number
  etag: string
  body: Buffer
  encoded: Map<Encoding, Buffer>
}
/**
 * An answer that was asked for once in this version. Its body isn't kept until it is asked for again
 * (docs/decisions/0069).
 */
export type KnownVersion = Pick<KeptBody, 'version'> & { body?: undefined }

/** The memory of a kept body besides its bytes, and the whole memory of a known version. */
const OVERHEAD_BYTES = 1024
const VERSION_BYTES = 512

function bytesOf(kept: KeptBody | KnownVersion): number {
  if (!kept.body) return VERSION_BYTES
  return [...kept.encoded.values()].reduce((sum, { length }) => sum + length, kept.body.length + OVERHEAD_BYTES)
}

/**
 * These bytes in memory of their own. Node cuts short ones from larger buffers, up to 64 kB, and whoever keeps a slice
 * keeps the whole.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  own.set(bytes)
  return own
}

/**
 * Bodies, and versions without one, by what they answer, at most so many bytes: those that were asked for last. Any of
 * them may be gone at any time.
 */
export class KeptBodies {
  private readonly kept = new Map<string, { value: KeptBody | KnownVersion; bytes: number }>()
  private bytes = 0
  maxBytes: number

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  get(id: string): KeptBody | KnownVersion | undefined {
    const found = this.kept.get(id)
    if (!found) return undefined
    this.kept.delete(id)
    this.kept.set(id, found)
    return found.value
  }

  /** Also after an encoding was added. */
  set(id: string, value: KeptBody | KnownVersion): void {
    this.delete(id)
    const bytes = bytesOf(value) + id.length
    this.kept.set(id, { value, bytes })
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
  get size(): { answers: number; bytes: number } {
    return { answers: this.kept.size, bytes: this.bytes }
  }
}

/** Of all public answers. */
export const keptBodies = oncePerProcess('kept bodies', () => new KeptBodies(env.KEPT_BODIES_MB * 1024 * 1024))
