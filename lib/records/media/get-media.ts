import { ports } from '../../ports/ports.ts'

/** A stored file, by the name it is served under; null when there is none. Stored files are public. */
export const getMedia = (name: string): Promise<{ bytes: Uint8Array; contentType: string } | null> =>
  ports().storage.get(name)
