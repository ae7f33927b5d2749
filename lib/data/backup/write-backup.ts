import type { KeyObject } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { env } from '../../core/env.ts'
import { fileFault } from '../../core/file-fault.ts'
import { RELEASE } from '../../core/release.ts'
import { inSnapshot, type Snapshot } from '../../db/dump/snapshot.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { fileNameOf, SIZES } from '../../records/media/media-urls.ts'
import { type Counted, makeCounter } from './count-rows.ts'
import { dataFrames, frameOf } from './frames.ts'
import { fingerprintOf, voucherPrints } from './keys.ts'
import type { Head, Part } from './manifest.ts'
import { sealArchive } from './seal-archive.ts'

type Request = { databaseUrl: string; file: string; recipient: KeyObject; withMedia?: boolean }
type Written = { head: Head; tables: number; rows: number; mediaFiles: number; missing: string[] }

/**
 * Writes the whole database as it is at one moment into a file, compressed and sealed. The file has its name only once
 * it is complete; one of that name is replaced. `missing`: stored files that were to be packed and aren't there.
 */
export async function writeBackup(worker: SystemContext, request: Request): Promise<Written> {
  const { file, recipient } = request
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.partial`)
  const written: Written = { head: headOf(worker, null), tables: 0, rows: 0, mediaFiles: 0, missing: [] }
  try {
    await mkdir(path.dirname(file), { recursive: true })
    await pipeline(
      Readable.from(archiveOf(worker, request, written), { objectMode: false }),
      createGzip({ level: 4 }),
      (bytes: AsyncIterable<Buffer>) => sealArchive(bytes, recipient),
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
    )
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined) // a disk that takes no writes has no draft either
    const why = fileFault(error)
    if (why === null) throw error
    throw new Error(`No backup was written to ${path.dirname(file)}: ${why} (${(error as Error).message}).`, {
      cause: error,
    })
  }
  return written
}

function headOf({ ports, now }: SystemContext, snapshot: Snapshot | null): Head {
  const serverKeys = env.SERVER_KEY.split(',').map((key) => key.trim())
  return {
    format: 1,
    version: RELEASE,
    takenAt: (snapshot?.takenAt ?? now()).toISOString(),
    migrations: snapshot?.migrations ?? [],
    serverKeys: serverKeys.filter(Boolean).map(fingerprintOf),
    voucherKeys: voucherPrints(env),
    operators: [...ports.keys.operators],
    networks: snapshot?.networks ?? [],
  }
}

async function* archiveOf(worker: SystemContext, request: Request, written: Written): AsyncGenerator<Buffer> {
  let parts = 0
  const stored: string[] = []

  async function* partOf(
    part: Part,
    pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  ): AsyncGenerator<Buffer, Counted> {
    const counter = makeCounter()
    yield frameOf('part', part)
    yield* dataFrames(
      (async function* () {
        for await (const piece of pieces) {
          counter.add(piece)
          yield piece
        }
      })(),
    )
    const counted = counter.counted()
    yield frameOf('done', counted)
    parts++
    return counted
  }

  const sequences: Awaited<ReturnType<Snapshot['sequences']>> = []
  yield* inSnapshot(request.databaseUrl, async function* (snapshot): AsyncGenerator<Buffer> {
    written.head = headOf(worker, snapshot)
    yield frameOf('head', written.head)
    for (const table of snapshot.tables) {
      const { name, columns } = table
      const { rows } = yield* partOf({ type: 'table', name, columns }, snapshot.rowsOf(table))
      written.tables++
      written.rows += rows
    }
    yield* partOf({ type: 'jobs' }, snapshot.oldJobs())
    const { rows } = yield* partOf(
      { type: 'media' },
      (async function* () {
        for await (const lines of snapshot.mediaFiles()) {
          if (request.withMedia) stored.push(...stemsIn(lines))
          yield lines
        }
      })(),
    )
    written.mediaFiles = rows
    sequences.push(...(await snapshot.sequences()))
  })

  for (const name of stored.flatMap((stem) => SIZES.map((size) => fileNameOf(stem, size)))) {
    const file = await worker.ports.storage.get(name)
    if (!file) written.missing.push(name)
    else yield* partOf({ type: 'file', name, contentType: file.contentType }, [Buffer.from(file.bytes)])
  }
  yield frameOf('end', { parts, sequences })
}

export const stemsIn = (lines: Buffer): string[] => lines.toString('utf8').match(/^[^\t\n]+(?=\t)/gm) ?? []
