import { ports } from '../../ports/ports.ts'

/** A kept file, by the name it is served under; null when there is none. Kept files are open to everybody. */
export const getMedia = (name: string): Promise<{ bytes: Uint8Array; contentType: string } | null> =>
  ports().storage.get(name)
