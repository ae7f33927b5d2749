import { crc32 } from 'node:zlib'
import { exifOf, type Orientation, Unreadable } from './exif.ts'

const SIGNATURE_BYTES = 8
/** Chunks that say how pixels look. Those of animations aren't among them: our decoder doesn't read them. */
const KEPT = new Set('IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD pHYs hIST sPLT'.split(' '))

/** A PNG without its metadata and its animation, and without what follows its end. */
export function stripPng(bytes: Buffer, orientation: Orientation): Buffer {
  const kept = [bytes.subarray(0, SIGNATURE_BYTES)]
  for (const { type, chunk } of chunksOf(bytes)) {
    if (KEPT.has(type)) kept.push(chunk)
    if (type === 'IHDR' && orientation > 1) kept.push(chunkOf('eXIf', exifOf(orientation)))
  }
  return Buffer.concat(kept)
}

function* chunksOf(bytes: Buffer): Generator<{ type: string; chunk: Buffer }> {
  for (let at = SIGNATURE_BYTES; ;) {
    if (at + 12 > bytes.length) throw new Unreadable('A PNG without its end.')
    const end = at + 12 + bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    yield { type, chunk: bytes.subarray(at, end) }
    if (type === 'IEND') return
    at = end
  }
}

function chunkOf(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
