import { createHash } from 'node:crypto'
import { CID } from 'multiformats/cid'
import { expect, test } from 'vitest'
import { archiveOf, CHUNK_BYTES, cidOf } from '../../lib/core/cid.ts'

const varint = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)])
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const cidBytes = (codec: number, bytes: Uint8Array) =>
  Buffer.concat([Buffer.from([0x01, codec, 0x12, 0x20]), sha256(bytes)])
const field = (number: number, bytes: Uint8Array) =>
  Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(bytes.length)]), bytes])
const number = (at: number, value: number) => Buffer.from([at << 3, ...varint(value)])

/**
 * The DAG-PB root of a file of several chunks, encoded by hand: the links, then a UnixFS file (type 2) with its size
 * and the sizes of its parts.
 */
function rootByHand(file: Uint8Array): Buffer {
  const chunks = Array.from({ length: Math.ceil(file.length / CHUNK_BYTES) }, (_, at) =>
    file.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES),
  )
  const links = chunks.map((chunk) =>
    field(2, Buffer.concat([field(1, cidBytes(0x55, chunk)), field(2, Buffer.alloc(0)), number(3, chunk.length)])),
  )
  const unixfs = Buffer.concat([
    number(1, 2),
    number(3, file.length),
    ...chunks.map((chunk) => number(4, chunk.length)),
  ])
  return Buffer.concat([...links, field(1, unixfs)])
}

const pattern = (length: number) => new Uint8Array(length).map((_, at) => (at * 31 + (at >>> 8)) % 256)

test('a small file has the CID given in Kubo’s own tests', async () => {
  expect(await cidOf(Buffer.from('hello\n'))).toBe('bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am')
  expect(await cidOf(new Uint8Array())).toBe('bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku')
})

test.each([1, CHUNK_BYTES - 1, CHUNK_BYTES])('%s bytes are one raw block', async (length) => {
  const file = pattern(length)
  expect(await cidOf(file)).toBe(CID.decode(cidBytes(0x55, file)).toString())
})

test.each([CHUNK_BYTES + 1, 2 * CHUNK_BYTES, 5 * CHUNK_BYTES + 7])(
  '%s bytes are a DAG-PB root over raw leaves',
  async (length) => {
    const file = pattern(length)
    expect(await cidOf(file)).toBe(CID.decode(cidBytes(0x70, rootByHand(file))).toString())
  },
)

test('an archive names the root and contains each distinct block once, under its hash', async () => {
  const file = new Uint8Array(4 * CHUNK_BYTES + 9) // four identical chunks
  const car = Buffer.from(await archiveOf(file))
  const sections: Buffer[] = []
  for (let at = 0; at < car.length;) {
    let [length, shift] = [0, 0]
    for (; ; shift += 7) {
      const byte = car[at++]!
      length += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) break
    }
    sections.push(car.subarray(at, (at += length)))
  }
  const [header, ...blocks] = sections
  const root = CID.parse(await cidOf(file))
  expect(header!.toString('latin1')).toBe(
    `\xa2\x65roots\x81\xd8\x2a\x58\x25\x00${Buffer.from(root.bytes).toString('latin1')}\x67version\x01`,
  )
  expect(blocks.length).toBe(3)
  for (const block of blocks) expect(sha256(block.subarray(36)).equals(block.subarray(4, 36))).toBe(true)
  expect(blocks.some((block) => block.subarray(0, 36).equals(root.bytes))).toBe(true)
})
