import {
  createCipheriv,
  createDecipheriv,
  createHash,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { publicBytesOf, publicKeyFrom } from './keys.ts'

// A sealed archive: MAGIC, the print of the key it is sealed for (8 bytes), the file's own public key (32 bytes), then
// chunks of AES-256-GCM. The key is derived from the exchange of both keys (X25519, HKDF-SHA256) and the head, so that
// it is another one for every file. A chunk's nonce is its number and whether it is the last: none can be left out,
// moved, or taken from another file.

const MAGIC = Buffer.from('vitrine-backup/1\n')
const HEAD_BYTES = MAGIC.length + 8 + 32
const CHUNK_BYTES = 65_536
const TAG_BYTES = 16

/** The file is no backup, of another key, damaged or incomplete. Its message says which. */
export class BackupUnreadable extends Error {
  override readonly name = 'BackupUnreadable'
}

const printOf = (recipient: KeyObject): Buffer =>
  createHash('sha256').update(publicBytesOf(recipient)).digest().subarray(0, 8)

const keyOf = (own: KeyObject, other: KeyObject, recipient: KeyObject, head: Buffer): Buffer => {
  const info = Buffer.concat([Buffer.from('vitrine/backup/v1'), head, publicBytesOf(recipient)])
  const shared = diffieHellman({ privateKey: own, publicKey: other })
  return Buffer.from(hkdfSync('sha256', shared, Buffer.alloc(0), info, 32))
}

const nonceOf = (number: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Seals bytes for the owner of a key. */
export async function* sealArchive(source: AsyncIterable<Buffer>, recipient: KeyObject): AsyncGenerator<Buffer> {
  const own = generateKeyPairSync('x25519')
  const head = Buffer.concat([MAGIC, printOf(recipient), publicBytesOf(own.publicKey)])
  const key = keyOf(own.privateKey, recipient, recipient, head)
  yield head
  for await (const { number, bytes, isLast } of chunksOf(source, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast))
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

/** Opens what `sealArchive` made. Throws BackupUnreadable, at the first chunk that isn't as it was written. */
export async function* openArchive(source: AsyncIterable<Buffer>, privateKey: KeyObject): AsyncGenerator<Buffer> {
  const { head, rest } = await readHead(source)
  const print = head.subarray(MAGIC.length, MAGIC.length + 8)
  if (!print.equals(printOf(privateKey)))
    throw new BackupUnreadable(
      `This backup is sealed for another key (${print.toString('hex')}; ` +
        `that of the key given is ${printOf(privateKey).toString('hex')}).`,
    )
  let key: Buffer
  try {
    key = keyOf(privateKey, publicKeyFrom(head.subarray(-32)), privateKey, head)
  } catch (error) {
    throw new BackupUnreadable('The head of this backup is damaged.', { cause: error })
  }
  for await (const { number, bytes, isLast } of chunksOf(rest, CHUNK_BYTES + TAG_BYTES)) {
    const opened = openChunk(key, number, isLast, bytes)
    if (opened === null && isLast && openChunk(key, number, false, bytes) !== null)
      throw new BackupUnreadable('This backup is incomplete: its end is missing.')
    if (opened === null) throw new BackupUnreadable(`This backup is damaged: chunk ${number} is not as it was written.`)
    yield opened
  }
}

function openChunk(key: Buffer, number: number, isLast: boolean, bytes: Buffer): Buffer | null {
  if (bytes.length < TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

async function readHead(source: AsyncIterable<Buffer>): Promise<{ head: Buffer; rest: AsyncIterable<Buffer> }> {
  const iterator = source[Symbol.asyncIterator]()
  let bytes: Buffer = Buffer.alloc(0)
  while (bytes.length < HEAD_BYTES) {
    const { value, done } = await iterator.next()
    if (done) break
    bytes = Buffer.concat([bytes, value])
  }
  if (bytes.length < HEAD_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC))
    throw new BackupUnreadable('This file is not a backup of Vitrine, or of a version that this one does not know.')
  const first = bytes.subarray(HEAD_BYTES)
  const rest = async function* (): AsyncGenerator<Buffer> {
    yield first
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  }
  return { head: bytes.subarray(0, HEAD_BYTES), rest: rest() }
}

type Chunk = { number: number; bytes: Buffer; isLast: boolean }

/**
 * Cuts bytes into chunks of one size. The last one may be shorter, and is empty only where there are no bytes at all.
 */
async function* chunksOf(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Chunk> {
  let waiting: Buffer[] = []
  let length = 0
  let number = 0
  for await (const bytes of source) {
    waiting.push(bytes)
    length += bytes.length
    if (length <= size) continue
    const all = Buffer.concat(waiting)
    let at = 0
    for (; all.length - at > size; at += size)
      yield { number: number++, bytes: all.subarray(at, at + size), isLast: false }
    waiting = [all.subarray(at)]
    length = all.length - at
  }
  yield { number, bytes: Buffer.concat(waiting), isLast: true }
}
