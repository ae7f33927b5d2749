import { registerHooks } from 'node:module'
import { DEFECTS } from './defects.ts'

/** Loads the product's files with one defect in them. Call it before they are loaded. */
export function plantDefect(name: string): void {
  const defect = DEFECTS[name]
  if (!defect) throw new Error(`There is no defect ${name}. There are ${Object.keys(DEFECTS).join(', ')}.`)
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      const changes = defect.filter(({ file }) => url.endsWith(`/${file}`))
      if (changes.length === 0) return loaded
      let source = String(loaded.source)
      for (const { file, text, by } of changes) {
        if (!source.includes(text)) throw new Error(`The defect ${name} doesn’t find its text in ${file}.`)
        source = source.replace(text, by)
      }
      return { ...loaded, source }
    },
  })
}
