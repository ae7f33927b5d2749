import { oncePerProcess } from '../../core/once-per-process.ts'
import { ports } from '../../ports/ports.ts'

const making = oncePerProcess('copies of pictures', () => new Map<string, Promise<Uint8Array | null>>())

/** A stored copy of a picture by its name; made when it is first asked for, and once, however many ask at the same time. null when `make` gives null. */
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
  if (bytes) await ports().storage.put(name, bytes, contentType)
  return bytes
}
