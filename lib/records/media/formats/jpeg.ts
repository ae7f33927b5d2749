import { exifOf, type Orientation, Unreadable } from './exif.ts'

const [SOI, EOI, SOS, APP0, APP1, APP2, APP14] = [0xd8, 0xd9, 0xda, 0xe0, 0xe1, 0xe2, 0xee]

/**
 * Segments that decoders need: JFIF, the colour profile, Adobe's colour transform, and all that aren't of applications
 * or comments.
 */
function isKept(marker: number, content: Buffer): boolean {
  const begins = (text: string) => content.subarray(0, text.length).toString('latin1') === text
  if (marker === APP0) return begins('JFIF\0')
  if (marker === APP2) return begins('ICC_PROFILE\0')
  if (marker === APP14) return begins('Adobe')
  return (marker < APP0 || marker > 0xef) && marker !== 0xfe
}

/** A JPEG without its metadata, and without what follows its end (ITU-T T.81, annex B). */
export function stripJpeg(bytes: Buffer, orientation: Orientation): Buffer {
  const kept: Buffer[] = [Buffer.from([0xff, SOI])]
  if (orientation > 1) kept.push(segment(APP1, Buffer.concat([Buffer.from('Exif\0\0'), exifOf(orientation)])))
  for (let at = bytes.indexOf(0xff, 2); at !== -1 && at + 1 < bytes.length;) {
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      at++ // a fill byte
      continue
    }
    if (marker === EOI) return Buffer.concat([...kept, bytes.subarray(at, at + 2)])
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    const next = marker === SOS ? endOfScan(bytes, end) : end
    if (isKept(marker, bytes.subarray(at + 4, end))) kept.push(bytes.subarray(at, next))
    at = bytes.indexOf(0xff, next)
  }
  throw new Unreadable('A JPEG without its end.')
}

/** Where the next marker stands; in a scan's data, FF is followed by 00, or by D0 to D7 for a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
