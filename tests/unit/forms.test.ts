import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { CHANGING } from '../e2e/support/changing-forms.ts'
import { ELSEWHERE } from '../e2e/support/forms-elsewhere.ts'
import { MAKING } from '../e2e/support/making-forms.ts'

const root = path.resolve(import.meta.dirname, '../..')
const dashboard = path.join(root, 'app/dashboard')

/** The server actions that take a form. Others are a button's, with nothing to type. */
const actions = fs
  .readdirSync(dashboard, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => fs.readFileSync(path.join(dashboard, file), 'utf8'))
  .filter((text) => text.startsWith("'use server'"))
  .flatMap((text) => [...text.matchAll(/^export async function (\w+)\(([^)]*)\)/gm)])
  .filter(([, , parameters]) => parameters!.includes('FormData'))
  .map(([, name]) => name!)

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
  const files = fs.readdirSync(dashboard, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const source = files.map((file) => fs.readFileSync(path.join(dashboard, file), 'utf8')).join('\n')
  for (const { actions } of CHANGING)
    for (const name of actions) {
      const body = new RegExp(`export async function ${name}\\([\\s\\S]*?\\n}`).exec(source)?.[0] ?? ''
      expect(body, name).toMatch(/\b(save|update)\(/)
    }
})
