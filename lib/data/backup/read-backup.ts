import { createReadStream } from 'node:fs'
import type { KeyObject } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { z } from 'zod'
import { type Counted, makeCounter } from './count-rows.ts'
import { type Frame, framesIn } from './frames.ts'
import { doneSchema, type End, endSchema, type Head, headSchema, type Part, partSchema } from './manifest.ts'
import { BackupUnreadable, openArchive } from './seal-archive.ts'

type Contents = { head: Head; parts: (Part & Counted)[]; end: End }

/** Takes the data of each part. Data that isn't taken is read and checked nevertheless. */
type Take = (part: Part, data: AsyncGenerator<Buffer>) => Promise<void>

/**
 * Reads a backup through, checks all of it, and gives what it contains. Throws BackupUnreadable when it is of another
 * key, damaged or incomplete; `take` may have been given parts before that.
 */
export async function readBackup(
  file: string,
  privateKey: KeyObject,
  take: Take = async () => undefined,
): Promise<Contents> {
  let contents: Contents | undefined
  await pipeline(
    createReadStream(file, { highWaterMark: 1 << 20 }),
    (sealed: AsyncIterable<Buffer>) => openArchive(sealed, privateKey),
    createGunzip(),
    async (bytes: AsyncIterable<Buffer>) => {
      contents = await readParts(framesIn(bytes), take)
    },
  )
  return contents!
}

async function readParts(frames: AsyncGenerator<Frame>, take: Take): Promise<Contents> {
  const next = async (): Promise<Frame> => {
    const { value, done } = await frames.next()
    if (done) throw new BackupUnreadable('This backup ends before its last part.')
    return value
  }
  const first = await next()
  if (first.kind !== 'head') throw new BackupUnreadable('This backup does not begin with its head.')
  const head = contentOf(headSchema, first)
  const parts: Contents['parts'] = []
  for (let frame = await next(); ; frame = await next()) {
    if (frame.kind === 'end') {
      const end = contentOf(endSchema, frame)
      if (end.parts !== parts.length) throw new BackupUnreadable('This backup lacks some of its parts.')
      if (!(await frames.next()).done) throw new BackupUnreadable('This backup goes on after its end.')
      return { head, parts, end }
    }
    if (frame.kind !== 'part') throw new BackupUnreadable('The parts of this backup are not in order.')
    parts.push(await readPart(contentOf(partSchema, frame), next, take))
  }
}

async function readPart(part: Part, next: () => Promise<Frame>, take: Take): Promise<Part & Counted> {
  const counter = makeCounter()
  let last: Frame | undefined
  const data = (async function* () {
    for (last = await next(); last.kind === 'data'; last = await next()) {
      counter.add(last.bytes)
      yield last.bytes
    }
  })()
  await take(part, data)
  while (!last || last.kind === 'data') {
    // The rest of the data, which `take` left.
    last = await next()
    if (last.kind === 'data') counter.add(last.bytes)
  }
  if (last.kind !== 'done') throw new BackupUnreadable('The parts of this backup are not in order.')
  const written = contentOf(doneSchema, last)
  const { rows, checksum } = counter.counted()
  if (written.rows !== rows || written.checksum !== checksum)
    throw new BackupUnreadable(`${nameOf(part)} of this backup differs from its checksum.`)
  return { ...part, rows, checksum }
}

export const nameOf = (part: Part): string =>
  part.type === 'table' || part.type === 'file' ? `${part.type} ${part.name}` : part.type

function contentOf<S extends z.ZodType>(schema: S, { kind, bytes }: Frame): z.output<S> {
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    throw new BackupUnreadable(`This backup has a ${kind} that this version cannot read.`, { cause: error })
  }
}
