import { expect, test } from 'vitest'
import { isLeftOut, withOwnPlace } from '../../scripts/bundle-parts.ts'

test('packages that the pages load from node_modules are left out of the bundle, with their subpaths', () => {
  const packages = ['pg', '@prisma/client']
  for (const name of ['pg', 'pg/lib/utils.js', '@prisma/client/runtime']) expect(isLeftOut(name, packages)).toBe(true)
  for (const name of ['pg-types', '@prisma/debug', './pg.ts', '../pg/client.ts'])
    expect(isLeftOut(name, packages)).toBe(false)
})

test('a module of our own finds the files beside its source from the bundle’s folder', () => {
  const code = withOwnPlace(
    `path.resolve(import.meta.dirname, '../../prisma') + new URL('../../x.json', import.meta.url)`,
    'lib/db',
    '../..',
  )
  expect(code).toBe(
    `path.resolve((import.meta.dirname + "/../../lib/db/"), '../../prisma') + new URL('../../x.json', new URL("../../lib/db/", import.meta.url).href)`,
  )
})

test('a package keeps its code', () => {
  const code = 'import.meta.dirname'
  expect(withOwnPlace(code, 'node_modules/some/dist', '../..')).toBe(code)
})
