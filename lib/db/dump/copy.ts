import type pg from 'pg'

// COPY in both directions. The package pg speaks its messages, but has no call for them: what is given to `query` here
// answers them.

/** The calls of pg's connection for COPY, which its types leave out. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/**
 * Reads `COPY … TO STDOUT`: whole rows, several in a buffer. The server waits while nobody reads. The connection can't
 * be used further when the reader stops early.
 */
export async function* copyOut(client: pg.Client, statement: string): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = []
  const state: { ended: boolean; failure: Error | null } = { ended: false, failure: null }
  let connection: pg.Connection | undefined
  let wake = (): void => undefined
  const query = {
    submit(on: pg.Connection) {
      connection = on
      on.query(statement)
    },
    handleCopyData({ chunk }: { chunk: Buffer }) {
      waiting.push(Buffer.from(chunk)) // pg reuses the memory behind it
      connection!.stream.pause()
      wake()
    },
    handleCommandComplete: () => undefined,
    handleError(error: Error) {
      state.failure ??= error
      wake()
    },
    handleReadyForQuery() {
      state.ended = true
      wake()
    },
  }
  client.query(query)
  try {
    while (true) {
      if (waiting.length > 0) {
        yield Buffer.concat(waiting.splice(0))
        continue
      }
      if (state.failure) throw state.failure
      if (state.ended) return
      await new Promise<void>((resolve) => {
        wake = resolve
        connection?.stream.resume()
      })
    }
  } finally {
    connection?.stream.resume() // what follows on this connection is read again
  }
}

/**
 * Writes `COPY … FROM STDIN`, whose bytes may be split anywhere, and gives the number of rows. The connection can't be
 * used further when `source` throws.
 */
export async function copyIn(client: pg.Client, statement: string, source: AsyncIterable<Buffer>): Promise<number> {
  let connection: CopyConnection | undefined
  let rows = 0
  // Ends the wait for the server's readiness, or for room in the connection.
  let goOn = (): void => undefined
  let settle: { resolve: () => void; reject: (error: Error) => void }
  const done = new Promise<void>((resolve, reject) => (settle = { resolve, reject }))
  done.catch(() => undefined) // awaited below, after the last byte
  const state = { hasFailed: false }
  const ready = new Promise<void>((resolve) => (goOn = resolve))
  client.query({
    submit(on: pg.Connection) {
      connection = on as CopyConnection
      on.query(statement)
    },
    handleCopyInResponse: () => goOn(),
    handleCommandComplete: ({ text }: { text: string }) => void (rows = Number(/^COPY (\d+)$/.exec(text)?.[1])),
    handleError(error: Error) {
      state.hasFailed = true
      goOn()
      settle.reject(error)
    },
    handleReadyForQuery: () => settle.resolve(),
  } as pg.Submittable)
  await ready
  for await (const chunk of source) {
    if (state.hasFailed) break
    connection!.sendCopyFromChunk(chunk)
    const { stream } = connection!
    if (stream.writableNeedDrain)
      await new Promise<void>((resolve) => {
        goOn = resolve
        stream.once('drain', resolve)
      })
  }
  if (!state.hasFailed) connection!.endCopyFrom()
  await done
  return rows
}
