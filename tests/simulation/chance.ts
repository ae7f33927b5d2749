import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { randomOf, type Random } from './random.ts'
import { currentActor } from './scheduler.ts'

/**
 * Replaces what this process has of chance by numbers of the seed: each actor's own, so that the order of actors
 * doesn't change them.
 */
export function installChance(seed: number): void {
  const setUp = randomOf('set-up', seed)
  const random = (): Random => currentActor()?.random ?? setUp
  const randomBytes = (size: number, done?: (error: null, bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.alloc(size)
    random().fill(bytes)
    done?.(null, bytes)
    return bytes
  }
  const fill = <T extends ArrayBufferView>(view: T, offset = 0, size = view.byteLength - offset): T => {
    random().fill(new Uint8Array(view.buffer, view.byteOffset + offset, size))
    return view
  }
  const randomUUID = () => {
    const bytes = randomBytes(16)
    bytes[6] = (bytes[6]! & 0x0f) | 0x40
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    const hex = bytes.toString('hex')
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  }
  const randomInt = (first: number, end?: number): number =>
    end === undefined ? random().below(first) : first + random().below(end - first)
  Math.random = () => random().next()
  Object.assign(crypto, { randomBytes, randomUUID, randomInt, randomFillSync: fill })
  for (const web of new Set([crypto.webcrypto, globalThis.crypto])) {
    Object.defineProperty(web, 'getRandomValues', { value: fill, configurable: true })
    Object.defineProperty(web, 'randomUUID', { value: randomUUID, configurable: true })
  }
  syncBuiltinESMExports()
}
