import { exifOf, type Orientation, Unreadable } from './exif.ts'

const KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** Bits of VP8X's first byte that say that such a chunk follows. */
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04]

/** A WebP without its metadata, and without what follows its end. */
export function stripWebp(bytes: Buffer, orientation: Orientation): Buffer {
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4))
  const kept: Buffer[] = []
  for (let at = 12; at + 8 <= end;) {
    const length = bytes.readUInt32LE(at + 4)
    const next = at + 8 + length + (length % 2)
    if (at + 8 + length > end) throw new Unreadable('A WebP without its end.')
    const type = bytes.toString('latin1', at, at + 4)
    const chunk = Buffer.from(bytes.subarray(at, next))
    if (type === 'VP8X') chunk[8] = (chunk[8]! & ~(HAS_EXIF | HAS_XMP)) | (orientation > 1 ? HAS_EXIF : 0)
    if (KEPT.has(type)) kept.push(chunk)
    at = next
  }
  if (orientation > 1) kept.push(chunkOf('EXIF', exifOf(orientation)))
  const content = Buffer.concat(kept)
  return Buffer.concat([headOf('RIFF', content.length + 4), Buffer.from('WEBP'), content])
}

const chunkOf = (type: string, content: Buffer): Buffer =>
  Buffer.concat([headOf(type, content.length), content, Buffer.alloc(content.length % 2)])

function headOf(type: string, length: number): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(length, 4)
  return head
}
