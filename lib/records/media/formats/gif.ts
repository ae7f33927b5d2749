import { Unreadable } from './exif.ts'

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b]
const [CONTROL, APPLICATION] = [0xf9, 0xff]
/** How often an animation repeats, and the colour profile. */
const KEPT_APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])

/** A GIF without comments, XMP and what follows its end. */
export function stripGif(bytes: Buffer): Buffer {
  const byte = (at: number): number => {
    const value = bytes[at]
    if (value === undefined) throw new Unreadable('A GIF without its end.')
    return value
  }
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  /** Behind blocks of up to 255 bytes, of which an empty one is the last. */
  const afterBlocks = (from: number): number => {
    let at = from
    while (byte(at) !== 0) at += byte(at) + 1
    return at + 1
  }
  let at = 13 + tableBytes(byte(10))
  const kept = [bytes.subarray(0, at)]
  for (; byte(at) !== TRAILER;) {
    const from = at
    if (byte(at) === IMAGE) at = afterBlocks(from + 11 + tableBytes(byte(from + 9)))
    else if (byte(at) === EXTENSION) at = afterBlocks(from + 2)
    else throw new Unreadable('A GIF with an unknown block.')
    if (isKept(bytes.subarray(from, at))) kept.push(bytes.subarray(from, at))
  }
  return Buffer.concat([...kept, Buffer.from([TRAILER])])
}

const isKept = (block: Buffer): boolean =>
  block[0] === IMAGE ||
  block[1] === CONTROL ||
  (block[1] === APPLICATION && KEPT_APPLICATIONS.has(block.toString('latin1', 3, 14)))
