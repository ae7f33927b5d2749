import path from 'node:path'
import type { Plugin } from 'vitest/config'
import { countingFunctions } from '../../tests/mutation/reach.ts'

const root = `${path.resolve(import.meta.dirname, '../..')}/`

/** Vite's plugin by which files of the repository note that they are loaded, and those of lib which functions run. */
export const notingReach: Plugin = {
  name: 'noting-reach',
  enforce: 'pre',
  transform(source, id) {
    const file = id.split('?')[0]!
    const relative = file.slice(root.length)
    if (!file.startsWith(root) || !/^(app|components|lib|packages|scripts|tests)\/.*\.(ts|tsx|mjs)$/.test(relative))
      return null
    if (relative.endsWith('.test.ts') || source.startsWith('#!')) return null
    const noting = relative.startsWith('lib/') ? countingFunctions(relative, source) : source
    return { code: `globalThis.reached?.add(${JSON.stringify(`${relative} `)});${noting}`, map: null }
  },
}
