import { oncePerProcess } from '../../core/once-per-process.ts'
import { logFailing } from '../../db/log-failing.ts'
import { ports } from '../../ports/ports.ts'

const making = oncePerProcess('copies of pictures', () => new Map<string, Promise<Uint8Array | null>>())

/**
 * A stored copy of a picture by its name; made when it is first asked for, and once, however many ask at the same time.
 * It is given also where it can't be stored. null when `make` gives null.
 */
export async function keptCopy(
  name: string,
  contentType: string,
  make: () => Promise<Uint8Array | null>,
): Promise<Uint8Array | null> {
  const stored = await ports().storage.get(name)
  if (stored) return stored.bytes
  const begun = making.get(name) ?? makeCopy(name, contentType, make).finally(() => making.delete(name))
  making.set(name, begun)
  return begun
}

async function makeCopy(
  name: string,
  contentType: string,
  make: () => Promise<Uint8Array | null>,
): Promise<Uint8Array | null> {
  const bytes = await make()
  if (bytes)
    await ports()
      .storage.put(name, bytes, contentType)
      .catch((error: unknown) =>
        logFailing('storage', error, 'A copy of a picture can’t be stored; it is made each time.'),
      )
  return bytes
}
