/** Where our copies of media are kept. Names are ours, never a caller's. */
export type Storage = {
  put(name: string, bytes: Uint8Array, contentType: string): Promise<void>
  get(name: string): Promise<{ bytes: Uint8Array; contentType: string } | null>
}

/** Fetches an address that a stranger chose: https only, public addresses only (checked at connect time), size and time bounded, no redirects to elsewhere. */
export type Fetcher = {
  fetchImage(url: string): Promise<Uint8Array>
  /** A document of at most 1 MiB. */
  fetchText(url: string): Promise<string>
}

/** The address itself is at fault (private, too large, no image behind it): asking again won't help. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused'
}

/** A service that keeps files reachable by their CID. */
export type Pinning = {
  /** Answers the CID under which the service keeps the file. Throws PinRefused, or an Error when no answer came. */
  pin(file: { name: string; bytes: Uint8Array }): Promise<string>
}

/** The service won't have the file, or us: asking again won't help. */
export class PinRefused extends Error {
  override readonly name = 'PinRefused'
}
