import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { AREAS, filesOf, root } from './areas.ts'
import { compiling } from './compiles.ts'
import { type Mutant, mutantsOf } from './mutants.ts'

export type Chosen = Mutant & { area: string }

const sources = new Map<string, string>()
const sourceOf = (file: string): string => {
  const known = sources.get(file) ?? fs.readFileSync(path.join(root, file), 'utf8')
  sources.set(file, known)
  return known
}

/** In an order that depends on the seed alone: an added or removed one moves no other. */
export function inOrderOf<T>(seed: string, list: readonly T[], idOf: (each: T) => string): T[] {
  const place = (each: T) =>
    createHash('sha256')
      .update(`${seed}\n${idOf(each)}`)
      .digest('hex')
  return list
    .map((each) => [place(each), each] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each)
}

/** So many more than are wanted are compiled, since some of them don't compile. */
const SPARE = 2

/** As many mutants of each area that compile, by the seed. `only`: of files whose path contains it. */
export function chooseMutants({ seed, count, only }: { seed: string; count: number; only: string }): Chosen[] {
  const areas = Object.keys(AREAS).map((area) => ({ area, files: filesOf(area).filter((file) => file.includes(only)) }))
  const wanted = areas.filter(({ files }) => files.length > 0)
  const shareAt = (at: number) => Math.floor(count / wanted.length) + (at < count % wanted.length ? 1 : 0)
  const candidates = wanted.flatMap(({ area, files }, at): Chosen[] => {
    const all = files.flatMap((file) => mutantsOf(file, sourceOf(file)))
    const first = inOrderOf(seed, all, ({ id }) => id).slice(0, SPARE * shareAt(at) + 10)
    return first.map((mutant) => ({ ...mutant, area }))
  })
  const sound = compiling(candidates)
  return wanted.flatMap(({ area }, at) => {
    const chosen: Chosen[] = []
    for (const mutant of sound.filter((each) => each.area === area)) {
      if (chosen.length === shareAt(at)) break
      // Two changes of the same place say little more than one.
      const isNear = chosen.some(({ file, from }) => file === mutant.file && from === mutant.from)
      if (!isNear) chosen.push(mutant)
    }
    return chosen
  })
}

/** A mutant by its id, where the source still has it. */
export function findMutant(id: string): Mutant | null {
  const file = id.split(' ')[0]!
  if (!fs.existsSync(path.join(root, file))) return null
  return mutantsOf(file, sourceOf(file)).find((mutant) => mutant.id === id) ?? null
}
