import { Unreadable } from './exif.ts'

type Box = { type: string; from: number; to: number }

/** Boxes of the file (ISO/IEC 14496-12) and of `meta`; `from` is behind the box's head. */
function boxesIn(bytes: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = []
  for (let at = from; at + 8 <= to;) {
    const size = bytes.readUInt32BE(at)
    const head = size === 1 ? 16 : 8
    const length = size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size === 0 ? to - at : size
    if (length < head || at + length > to) throw new Unreadable('An AVIF with a broken box.')
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), from: at + head, to: at + length })
    at += length
  }
  return boxes
}

/** Whether the file names the brand of sequences, which our decoder reads as one picture. */
export const isSequence = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 8, Math.min(bytes.readUInt32BE(0), 256)).includes('avis')

/**
 * An AVIF whose metadata is zeros: the file says at which bytes its pixels are, so nothing is moved. EXIF and XMP are
 * items of their own; they get a type that readers skip. How the picture is turned is a property of its item, and
 * stays.
 */
export function stripAvif(given: Buffer): Buffer {
  const bytes = Buffer.from(given)
  for (const { type, from, to } of boxesIn(bytes, 0, bytes.length)) {
    if (type === 'meta') clearItems(bytes, boxesIn(bytes, from + 4, to))
    else if (type !== 'ftyp' && type !== 'mdat') bytes.fill(0, from, to)
  }
  return bytes
}

function clearItems(bytes: Buffer, boxes: Box[]): void {
  const named = (type: string) => boxes.find((box) => box.type === type)
  const [infos, places, data] = [named('iinf'), named('iloc'), named('idat')]
  if (!infos || !places) throw new Unreadable('An AVIF without its items.')
  const ids = new Set<number>()
  const first = infos.from + (bytes[infos.from] === 0 ? 6 : 8)
  for (const { type, from } of boxesIn(bytes, first, infos.to)) {
    const version = bytes[from]!
    if (type !== 'infe' || version < 2) throw new Unreadable('An AVIF with items of an unknown form.')
    const at = from + (version === 2 ? 8 : 10)
    if (!['Exif', 'mime', 'uri '].includes(bytes.toString('latin1', at, at + 4))) continue
    ids.add(version === 2 ? bytes.readUInt16BE(from + 4) : bytes.readUInt32BE(from + 4))
    bytes.write('skip', at, 'latin1')
  }
  for (const { id, isInData, from, length } of extentsOf(bytes, places)) {
    if (!ids.has(id)) continue
    const start = isInData ? (data?.from ?? bytes.length) + from : from
    if (length === 0 || start + length > bytes.length) throw new Unreadable('An AVIF whose metadata can’t be found.')
    bytes.fill(0, start, start + length)
  }
}

type Extent = { id: number; isInData: boolean; from: number; length: number }

/** Where each item is, by the box `iloc`. */
function* extentsOf(bytes: Buffer, { from }: Box): Generator<Extent> {
  const version = bytes[from]!
  let at = from + 6
  const read = (size: number): number => {
    const value = size === 0 ? 0 : size === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, size)
    at += size
    return value
  }
  const [sizes, bases] = [bytes[from + 4]!, bytes[from + 5]!]
  const [offsetSize, lengthSize, baseSize] = [sizes >> 4, sizes & 15, bases >> 4]
  const indexSize = version > 0 ? bases & 15 : 0
  for (let items = read(version < 2 ? 2 : 4); items > 0; items--) {
    const id = read(version < 2 ? 2 : 4)
    const method = version > 0 ? read(2) & 15 : 0
    if (method > 1) throw new Unreadable('An AVIF with items inside of items.')
    read(2)
    const base = read(baseSize)
    for (let extents = read(2); extents > 0; extents--) {
      read(indexSize)
      const offset = base + read(offsetSize)
      yield { id, isInData: method === 1, from: offset, length: read(lengthSize) }
    }
  }
}
