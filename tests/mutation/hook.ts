// Loaded by `--import` in processes that tests start: the active change holds there as well.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { activeChange, withActiveChange } from './change.ts'

const root = path.resolve(import.meta.dirname, '../..')

if (activeChange())
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith('file:') || !url.includes('/lib/')) return next(url, context)
      const file = fileURLToPath(url)
      const source = withActiveChange(root, file, readFileSync(file, 'utf8'))
      return source === null ? next(url, context) : { format: 'module-typescript', source, shortCircuit: true }
    },
  })
