import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { expect, onTestFinished, test } from 'vitest'
import { endpoints } from '../../lib/platform/api/index.ts'
import { openapi } from '../../lib/platform/api/openapi.ts'

/** An integrator's program that uses the generated types, without a cast. */
const PROGRAM = `
import type { components, paths } from './admin.js'
import type { paths as PublicPaths } from './public.js'

type Json<O> = O extends { content: { 'application/json': infer Body } } ? Body : never

const item: Json<NonNullable<paths['/v1/items']['post']['requestBody']>> = {
  collection_id: '0199a9e0-0c3d-7a55-9d10-5b1c2d3e4f50',
  attributes: { title: 'Moonflower', colour: 'white', petals: 5, scented: true, beds: [{ row: 1 }], place: { garden: { gate: null } } },
}
const itemType: Json<NonNullable<paths['/v1/item-types']['post']['requestBody']>> = {
  name: 'Flower',
  schema: { type: 'object', properties: { petals: { type: 'integer', minimum: 3 } } },
}
export const sent = [item, itemType]
export const idOf = (answer: Json<paths['/v1/items']['post']['responses'][201]>): string => answer.id
export const titles = (page: Json<PublicPaths['/v1/items']['get']['responses'][200]>): string[] => page.results.map(({ title }) => title)
export const codeOf = (problem: components['schemas']['Problem']): string => problem.code
// @ts-expect-error an item needs a title
export const untitled: components['schemas']['Attributes'] = { colour: 'white' }
`

test('types generated from the documents compile without skipLibCheck, and an item is created with them without a cast', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-types-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  for (const which of ['public', 'admin'] as const) {
    const nodes = await openapiTypes(openapi(endpoints, which, 'https://vitrine.example') as unknown as OpenAPI3)
    fs.writeFileSync(path.join(folder, `${which}.d.ts`), astToString(nodes))
  }
  const program = path.join(folder, 'program.ts')
  fs.writeFileSync(program, PROGRAM)
  const compiled = ts.createProgram([program], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: false,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    types: [],
  })
  const errors = ts
    .getPreEmitDiagnostics(compiled)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
  expect(errors).toEqual([])
})
