/**
 * Files can't be stored, read or deleted at the moment: of no file's own fault. The message says why, and what to do.
 */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}

/** Where our copies of media are stored. Names are made by us (`names.ts`), never taken from a caller. */
export type Storage = {
  /**
   * Stores a file whole or not at all. Idempotent: an existing file of that name is replaced. Throws an Error when the
   * name doesn't fit the content type, and StorageUnavailable when storage fails.
   */
  put(name: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** A stored file, or null when there is none. Throws StorageUnavailable when storage fails. */
  get(name: string): Promise<{ bytes: Uint8Array; contentType: string } | null>
  /** Deletes a file; there may be none of that name. Throws StorageUnavailable when storage fails. */
  remove(name: string): Promise<void>
}

/**
 * Fetches URLs that organizations and contracts gave: https only, public addresses only (validated when connecting), at
 * most three redirects, each validated like the first URL, and 15 seconds in all. What is gzip is unpacked, within the
 * same limit. Both methods throw FetchRefused when trying again at once won't help, and an Error when it may (no
 * answer, 429, 5xx).
 */
export type Fetcher = {
  /** The bytes of an image, at most 25 MiB. They are not checked to be an image. */
  fetchImage(url: string): Promise<Uint8Array>
  /**
   * A text document of at most 1 MiB, in UTF-8 or UTF-16. With `json` it is asked for by a POST of that text, which
   * isn't sent on to another address.
   */
  fetchText(url: string, json?: string): Promise<string>
}

/**
 * The URL can't be fetched: its address is private, or the answer is too large or an error. Trying again won't help.
 */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused'
}

/** A service that keeps files available on IPFS. */
export type Pinning = {
  /**
   * Uploads and pins a file and gives the CID the service stored it under; callers compare it with `cidOf`. Idempotent:
   * the same bytes have the same CID. Throws PinRefused, or an Error when no answer came or the service is busy.
   */
  pin(file: { name: string; bytes: Uint8Array }): Promise<string>
}

/** The service refused the file or our credentials. Trying again won't help. */
export class PinRefused extends Error {
  override readonly name = 'PinRefused'
}
