import type { SystemContext } from '../../platform/auth/context.ts'
import { nameKeys } from './name-keys.ts'
import { reseal } from './reseal.ts'
import { nameOf, SEALED_COLUMNS } from './sealed-columns.ts'

/** `named`: links of which is known now which key made them. `unreadable`: values that no listed key opens. */
export type Rotated = { resealed: number; unreadable: number; named: number }

/**
 * Seals everything at rest with the newest server key. It can be interrupted, repeated, and run several times at once,
 * while web and worker run with the same keys. `onProgress` is told the column and how many of its values are done.
 */
export async function rotateServerKey(
  worker: SystemContext,
  onProgress: (column: string, done: number) => void = () => undefined,
): Promise<Rotated> {
  const rotated: Rotated = { resealed: 0, unreadable: 0, named: await nameKeys(worker) }
  for (const column of SEALED_COLUMNS) {
    const { done, unreadable } = await reseal(worker, column, (doneSoFar) => onProgress(nameOf(column), doneSoFar))
    rotated.resealed += done
    rotated.unreadable += unreadable
  }
  return rotated
}
