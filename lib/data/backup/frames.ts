import { BackupUnreadable } from './seal-archive.ts'

/**
 * The parts of an archive, before it is compressed and sealed. `head` and `end` stand once; a `part` (a table, the
 * jobs, a stored file, the list of stored files) is followed by its `data` and by `done`.
 */
type FrameKind = 'head' | 'part' | 'data' | 'done' | 'end'
export type Frame = { kind: FrameKind; bytes: Buffer }

const CODES = { head: 72, part: 80, data: 68, done: 69, end: 90 } as const satisfies Record<FrameKind, number>
const KINDS = new Map<number, FrameKind>(Object.entries(CODES).map(([kind, code]) => [code, kind as FrameKind]))
const DATA_BYTES = 65_536

/** A frame: its kind in one byte, its length in four, its bytes. */
export function frameOf(kind: FrameKind, content: Buffer | object): Buffer {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
  const head = Buffer.alloc(5)
  head[0] = CODES[kind]
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

/** `data` frames of pieces, each piece in one frame as a whole. */
export async function* dataFrames(pieces: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const piece of pieces) {
    waiting.push(piece)
    length += piece.length
    if (length < DATA_BYTES) continue
    yield frameOf('data', Buffer.concat(waiting))
    waiting = []
    length = 0
  }
  if (length > 0) yield frameOf('data', Buffer.concat(waiting))
}

/** The frames in a stream of bytes. */
export async function* framesIn(source: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let waiting: Buffer[] = []
  let length = 0
  let wanted = 5
  for await (const piece of source) {
    waiting.push(piece)
    length += piece.length
    if (length < wanted) continue
    let bytes = Buffer.concat(waiting)
    while (bytes.length >= (wanted = bytes.length < 5 ? 5 : 5 + bytes.readUInt32BE(1))) {
      const kind = KINDS.get(bytes[0]!)
      if (!kind) throw new BackupUnreadable('This backup has a part that this version does not know.')
      yield { kind, bytes: bytes.subarray(5, wanted) }
      bytes = bytes.subarray(wanted)
    }
    waiting = [bytes]
    length = bytes.length
  }
  if (length > 0) throw new BackupUnreadable('This backup ends in the middle of a part.')
}
