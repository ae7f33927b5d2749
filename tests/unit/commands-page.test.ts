import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8')
const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts)

/** The scripts that a text has people run. */
const runIn = (text: string): string[] =>
  [...text.matchAll(/\bnpm (?:run (?:-s )?([\w:-]*\w)|(test|start)\b)/g)].map(([, run, short]) => run ?? short!)

test('docs/commands.md names every command of package.json', () => {
  const named = new Set(runIn(read('docs/commands.md')))
  const automatic = ['postinstall']
  expect(scripts.filter((name) => !named.has(name) && !automatic.includes(name))).toEqual([])
})

test('the documents name commands that exist', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'SECURITY.md', 'CHANGELOG.md']
  documents.push(...fs.globSync('docs/{*,architecture/*,guides/*,releases/*}.md', { cwd: root }))
  const wrong = documents.flatMap((file) =>
    runIn(read(file))
      .filter((name) => !scripts.includes(name))
      .map((name) => `${file}: ${name}`),
  )
  expect(wrong).toEqual([])
})
