import fs from 'node:fs'
import path from 'node:path'
import type { Kind } from './process.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** Where the code of each process begins. */
const ROOTS: Record<Kind, string[]> = {
  web: ['app/v1', 'app/public', 'app/webhooks'].flatMap(filesIn),
  worker: ['lib/worker/start.ts'],
}

function filesIn(folder: string): string[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(folder, name))
}

const textOf = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8')

/** The files that a file imports, but not those of which it needs only types. */
function importsOf(file: string): string[] {
  const statements = textOf(file).matchAll(/^(?:import|export)\s(?!type\s)[^'"]*?from\s+'((?:\.|@\/)[^']+)'/gm)
  return [...statements].flatMap(([, specifier]) => {
    const target = specifier!.startsWith('@/')
      ? `${specifier!.slice(2)}.ts`
      : path.relative(root, path.resolve(root, path.dirname(file), specifier!))
    return target.startsWith('lib/') && fs.existsSync(path.join(root, target)) ? [target] : []
  })
}

function reachedFrom(files: readonly string[]): Set<string> {
  const reached = new Set<string>()
  const waiting = [...files]
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    waiting.push(...importsOf(file))
  }
  return reached
}

/** Every crash point that the code of lib/ has, with the processes whose code includes it. */
export function pointsInCode(): Map<string, Set<Kind>> {
  const reached = { web: reachedFrom(ROOTS.web), worker: reachedFrom(ROOTS.worker) }
  const points = new Map<string, Set<Kind>>()
  for (const file of filesIn('lib'))
    for (const [, point] of textOf(file).matchAll(/\bcrashPoint\('(\w+)'\)/g)) {
      const kinds = points.get(point!) ?? new Set()
      for (const kind of ['web', 'worker'] as const) if (reached[kind].has(file)) kinds.add(kind)
      points.set(point!, kinds)
    }
  return points
}
