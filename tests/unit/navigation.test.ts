import { existsSync, globSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ACTIONS, fits, PLACES } from '../../components/dashboard/shell/places.ts'

const root = resolve(import.meta.dirname, '../..')
const places = PLACES.flatMap(({ entries }) => entries)

test('every entry of the navigation and every quick action has a page', () => {
  for (const { href } of [...places, ...ACTIONS])
    expect(existsSync(join(root, 'app', href, 'page.tsx')), href).toBe(true)
})

test('shortcut keys are unique and never a reserved key', () => {
  const keys = places.flatMap(({ key }) => key ?? [])
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.filter((key) => ['g', '/', '?'].includes(key))).toEqual([])
})

test('typed words match the beginnings of an entry’s words', () => {
  expect([
    fits('Email claims', 'cl em'),
    fits('Email claims', 'CLAIM'),
    fits('Email claims', 'laims'),
    fits('Email claims', ''),
  ]).toEqual([true, true, false, true])
})

test('a page that leads to pages below it has a skeleton of its own, for the way back', () => {
  const folders = globSync('app/dashboard/**/page.tsx', { cwd: root }).map((file) => dirname(file))
  const above = folders.filter((folder) => folders.some((other) => other.startsWith(`${folder}/`)))
  expect(above.length).toBeGreaterThan(10)
  expect(above.filter((folder) => !existsSync(join(root, folder, 'loading.tsx')))).toEqual([])
})
