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

test('every page of the dashboard has a skeleton of its own', () => {
  const folders = globSync('app/dashboard/**/page.tsx', { cwd: root }).map((file) => dirname(file))
  expect(folders.length).toBeGreaterThan(50)
  expect(folders.filter((folder) => !existsSync(join(root, folder, 'loading.tsx')))).toEqual([])
})
