import { NodeRefusal, TIMED_OUT } from './refusals.ts'

/** The most blocks that one request asks for. */
const MAX_BLOCKS = 10_000n
/** Ranges that time out in one call before it gives up; the next call starts with what is left of the width. */
const MAX_TIME_OUTS = 3
/** Full ranges that must succeed in a row before a wider one is tried. */
const SUCCESSES_TO_WIDEN = 4

/**
 * How many blocks one eth_getLogs asks for. It halves at a refusal, grows again slowly, and is remembered between
 * calls.
 */
export type RangeSize = { blocks: bigint; successes: number }

export const newRangeSize = (): RangeSize => ({ blocks: MAX_BLOCKS, successes: 0 })

/**
 * Reads blocks `from` to `to` in ranges as wide as the nodes take. Which ranges they take depends on their limits, on
 * how many logs there are and on how busy they are, so any refusal halves the range. A NodeRefusal of a single block,
 * or a third time-out, is thrown.
 */
export async function readInRanges<T>(
  size: RangeSize,
  from: bigint,
  to: bigint,
  read: (from: bigint, to: bigint) => Promise<T[]>,
): Promise<T[]> {
  const found: T[] = []
  let timeOuts = 0
  for (let at = from; at <= to;) {
    const last = at + size.blocks - 1n < to ? at + size.blocks - 1n : to
    try {
      for (const one of await read(at, last)) found.push(one)
      widen(size, last - at + 1n)
      at = last + 1n
    } catch (error) {
      if (!(error instanceof NodeRefusal) || at === last) throw error
      size.blocks = (last - at + 1n) / 2n
      size.successes = 0
      if (error.code === TIMED_OUT && ++timeOuts === MAX_TIME_OUTS) throw error
    }
  }
  return found
}

function widen(size: RangeSize, blocks: bigint): void {
  if (blocks < size.blocks || size.blocks >= MAX_BLOCKS || ++size.successes < SUCCESSES_TO_WIDEN) return
  size.blocks = size.blocks * 2n < MAX_BLOCKS ? size.blocks * 2n : MAX_BLOCKS
  size.successes = 0
}
