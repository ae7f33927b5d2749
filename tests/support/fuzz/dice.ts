/** A seeded source of choices (mulberry32): the same seed gives the same requests. */
export type Dice = {
  number: () => number
  pick: <T>(from: readonly T[]) => T
  /** True in so many of a hundred cases. */
  percent: (share: number) => boolean
  upTo: (most: number) => number
}

export function diceOf(seed: number): Dice {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  const number = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const upTo = (most: number) => Math.floor(number() * (most + 1))
  return { number, upTo, pick: (from) => from[upTo(from.length - 1)]!, percent: (share) => number() * 100 < share }
}
