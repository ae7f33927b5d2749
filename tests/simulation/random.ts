import { createHash } from 'node:crypto'

/** Random numbers that depend on a name only. */
export type Random = {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** From 0 up to, but not including, `end`. */
  below(end: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  fill(bytes: Uint8Array): void
}

/** A stream of random numbers of its own for each list of names. */
export function randomOf(...names: (string | number)[]): Random {
  const digest = createHash('sha256').update(names.join('\0')).digest()
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => digest.readInt32LE(at)) as [number, number, number, number]
  // sfc32
  const next32 = (): number => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round++) next32()
  const next = () => next32() / 2 ** 32
  const below = (end: number) => Math.floor(next() * end)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)]!,
    fill(bytes) {
      for (let at = 0; at < bytes.length; at++) bytes[at] = next32() & 0xff
    },
  }
}
