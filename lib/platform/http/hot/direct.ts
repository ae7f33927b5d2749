import type { IncomingHttpHeaders } from 'node:http'

/** A GET as the front door reads it, before a Request is made of it. */
export type DirectRequest = {
  /** As they stand in the path, decoded. */
  params: Record<string, string>
  /** The query with its question mark, or nothing. */
  search: string
  headers: IncomingHttpHeaders
  clientAddress: string
  requestId: string
}

/** An answer as it is written: all its headers but those that every answer has, and its bytes. */
export type DirectAnswer = { status: number; headers: Record<string, string>; body: Buffer | null }

/** Answers a GET as its handler would, with less work; null when the handler has to. Fails as the handler fails. */
export type Direct = (request: DirectRequest) => Promise<DirectAnswer | null>
