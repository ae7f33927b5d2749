import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

test('the page of rules names files that exist', () => {
  const sections = fs.readFileSync(path.join(root, 'docs/rules.md'), 'utf8').split('\n## ').slice(1)
  const named = sections.flatMap((section) => {
    const folder = /Paths are in `(.+?)`/.exec(section)![1]!
    return [...section.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file]) =>
      file!.startsWith('lib/') ? file! : folder + file!,
    )
  })
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([])
})

test('the pages of the architecture name files and folders that exist', () => {
  const chapters = fs.readdirSync(path.join(root, 'docs/architecture')).map((name) => `docs/architecture/${name}`)
  const named = ['ARCHITECTURE.md', ...chapters].flatMap((page) =>
    [...fs.readFileSync(path.join(root, page), 'utf8').matchAll(/`((?:app|components|lib|tests)\/[\w./-]+)`/g)].map(
      ([, file]) => file!,
    ),
  )
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([])
})
