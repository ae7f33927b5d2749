import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '../../lib/platform/api/index.ts'
import { CHANGING } from '../e2e/support/changing-forms.ts'
import { ELSEWHERE } from '../e2e/support/forms-elsewhere.ts'
import { MAKING } from '../e2e/support/making-forms.ts'

const root = path.resolve(import.meta.dirname, '../..')
const dashboard = path.join(root, 'app/dashboard')

/** The server actions that take a form, and what they do. Others are a button's, with nothing to type. */
const bodies = new Map(
  fs
    .readdirSync(dashboard, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => fs.readFileSync(path.join(dashboard, file), 'utf8'))
    .filter((text) => text.startsWith("'use server'"))
    .flatMap((text) => [...text.matchAll(/^export async function (\w+)\(([^)]*)\)([^]*?\n\})/gm)])
    .filter(([, , parameters]) => parameters!.includes('FormData'))
    .map(([, name, , body]) => [name!, body!]),
)
const actions = [...bodies.keys()]

test('each form of the dashboard is in the list of forms that are walked', () => {
  const walked = new Set([...CHANGING, ...MAKING].flatMap(({ actions }) => actions))
  expect(actions.length).toBeGreaterThan(40)
  expect([...walked, ...Object.keys(ELSEWHERE)].toSorted()).toEqual(actions.toSorted())
})

test('a form whose story is told elsewhere is in that story', () => {
  for (const [file, words] of Object.values(ELSEWHERE))
    expect(fs.readFileSync(path.join(root, 'tests', file), 'utf8'), file).toContain(words)
})

test('each action that changes a record saves only what was changed', () => {
  for (const { actions } of CHANGING)
    for (const name of actions) expect(bodies.get(name), name).toMatch(/\b(save|update)\(/)
})

test('no form changes a record without saying what it was opened with', () => {
  const overwriting = [...bodies].filter(([, body]) =>
    [...body.matchAll(/\bact\(\s*(?:\w+\.)?(\w+)/g)].some(([, endpoint]) =>
      ['PATCH', 'PUT'].includes(operations.get(endpoint!.replace(/Endpoint$/, ''))?.method ?? ''),
    ),
  )
  expect(overwriting.map(([name]) => name)).toEqual([])
})
