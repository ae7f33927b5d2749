const HEAD_END = '\r\n\r\n'
/** Answers that have no body, whatever their head says. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304])

/**
 * Reads the answers of one kept connection, of which one is under way at a time. It looks for nothing but where an
 * answer ends, and for its status.
 */
export class AnswerReader {
  #head: Buffer | null = null
  #status = 0
  /** Bytes of the body, or of its chunk, that are still to come. */
  #left = 0
  #chunks: 'none' | 'some' | 'over' = 'none'
  #line = ''

  /**
   * Takes the next bytes. Returns the answer's status when they complete it, else null. Throws where its end can't be
   * told.
   */
  read(bytes: Buffer): number | null {
    if (this.#status > 0) return this.#readBody(bytes, 0)
    const all = this.#head ? Buffer.concat([this.#head, bytes]) : bytes
    const end = all.indexOf(HEAD_END)
    this.#head = end < 0 ? Buffer.from(all) : null // the caller may use these bytes again
    if (end < 0) return null
    const head = all.toString('latin1', 0, end + 2)
    this.#status = Number(head.slice(9, 12))
    if (!WITHOUT_BODY.has(this.#status)) this.#measureBody(head)
    return this.#readBody(all, end + HEAD_END.length)
  }

  #measureBody(head: string): void {
    const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)
    if (length) this.#left = Number(length[1])
    else if (/\r\ntransfer-encoding: *chunked\r\n/i.test(head)) this.#chunks = 'some'
    else throw new Error(`An answer doesn’t say where it ends: ${head}`)
  }

  #readBody(bytes: Buffer, from: number): number | null {
    if (this.#chunks === 'none') this.#left -= bytes.length - from
    else this.#readChunks(bytes, from)
    if (this.#chunks !== 'none' || this.#left > 0) return null
    const status = this.#status
    this.#status = 0
    this.#left = 0
    return status
  }

  /** Sizes stand in lines before their chunks; after the last one come trailers, if any, and an empty line. */
  #readChunks(bytes: Buffer, from: number): void {
    let at = from
    while (at < bytes.length) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, bytes.length - at)
        this.#left -= taken
        at += taken
        continue
      }
      const end = bytes.indexOf('\n', at)
      this.#line += bytes.toString('latin1', at, end < 0 ? bytes.length : end)
      if (end < 0) return
      at = end + 1
      const line = this.#line.trim()
      this.#line = ''
      if (this.#chunks === 'over') {
        if (line === '') this.#chunks = 'none'
        continue
      }
      const size = parseInt(line, 16)
      if (size === 0) this.#chunks = 'over'
      else this.#left = size + '\r\n'.length
    }
  }
}
