import { setImmediate as breathe } from 'node:timers/promises'

const FEW_COLOURS = 256
const PIXELS_AT_ONCE = 2_000_000

/** Whether a picture has at most 256 colours. Others have their turn meanwhile. `rgba`: four bytes a pixel. */
export async function hasFewColours(rgba: Buffer): Promise<boolean> {
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4)
  const seen = new Set<number>()
  for (let from = 0; from < pixels.length; from += PIXELS_AT_ONCE) {
    let last = -1
    for (const pixel of pixels.subarray(from, from + PIXELS_AT_ONCE)) {
      if (pixel === last) continue
      seen.add((last = pixel))
      if (seen.size > FEW_COLOURS) return false
    }
    await breathe()
  }
  return true
}
