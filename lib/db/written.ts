import { oncePerProcess } from '../core/once-per-process.ts'

const listeners = oncePerProcess('listeners to what is written', () => new Set<() => void>())

/** Has `told` called after what this process writes from now on. Returns what ends that. */
export function onWritten(told: () => void): () => void {
  listeners.add(told)
  return () => void listeners.delete(told)
}

/** Something was committed that may have made work. */
export function written(): void {
  for (const told of listeners) told()
}
