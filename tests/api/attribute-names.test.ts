import { beforeAll, describe, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { runImports } from '../../lib/data/imports/run-imports.ts'
import { callerOf } from '../support/call.ts'
import { startChain } from '../support/chain.ts'
import { makeCollection, makeDeployedCollection, makeItems } from '../support/collections.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  await startChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

const COMPOSED = 'Caf\u00e9'
const DECOMPOSED = 'Cafe\u0301'

describe('names of attributes', () => {
  test('are stored in one form, and two that become one are refused by name', async () => {
    const collection_id = await makeCollection(api)
    const made = await api.post('/v1/items', { collection_id, attributes: { title: 'A', [` ${DECOMPOSED}`]: 'yes' } })
    expect(made.body.attributes).toEqual({ title: 'A', [COMPOSED]: 'yes' })
    const refused = await api.post('/v1/items', {
      collection_id,
      attributes: { title: 'A', [COMPOSED]: 'yes', [DECOMPOSED]: 'no' },
    })
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, `attributes.${DECOMPOSED}`])
    const csv = `title,${COMPOSED},${DECOMPOSED}\nA,1,2\n`
    expect((await api.post('/v1/items/import', { collection_id, csv })).body.detail).toBe(
      `Two columns mean ${COMPOSED}, the second one is “${DECOMPOSED}”.`,
    )
  })

  test('an older form is found by either form, replaced by a change of it, and else left alone', async () => {
    const collection_id = await makeDeployedCollection(mine)
    const [id] = await makeItems(api, collection_id, 1)
    await mine.ctx.db.item.update({ where: { id: id! }, data: { attributes: { title: 'A', [DECOMPOSED]: 'yes' } } })
    await makeItems(api, collection_id, 1, { attributes: { [COMPOSED]: 'yes' } })
    for (const name of [COMPOSED, DECOMPOSED, ` ${COMPOSED} `]) {
      const filter = encodeURIComponent(`${name}:yes`)
      const found = await callerOf().get(`/public/v1/items?collection_ids=${collection_id}&attributes=${filter}`)
      expect(found.body.total_results, name).toBe(2)
      expect((await api.get(`/v1/items?collection_id=${collection_id}&attribute=${filter}`)).body.total_results).toBe(2)
    }
    const change = async (attributes: object) =>
      (await api.patch(`/v1/items/${id}`, { attributes: { title: 'A', ...attributes } })).body.attributes
    expect(await change({ size: 1 })).toEqual({ title: 'A', size: 1, [DECOMPOSED]: 'yes' })
    expect(await change({ [DECOMPOSED]: 'no' })).toEqual({ title: 'A', size: 1, [COMPOSED]: 'no' })
    expect(await change({ [COMPOSED]: null })).toEqual({ title: 'A', size: 1 })
  })
})

describe('cells of imported items', () => {
  const attributesOf = async (csv: string, options: object = {}) => {
    const collection_id = await makeCollection(api, options)
    const { status, body } = await api.post('/v1/items/import', { collection_id, csv, dry_run: false })
    expect(status, JSON.stringify(body)).toBe(201)
    await runImports(systemContext())
    const { results } = (await api.get(`/v1/items?collection_id=${collection_id}&order_direction=ASC`)).body
    return results.map(({ attributes: { title: _, ...others } }: { attributes: object & { title: string } }) => others)
  }

  test('a column is numbers, or yes and no, only where each of its cells prints as it was typed', async () => {
    const csv = [
      'title,price,year,code,rare,mixed,big,exact,empty',
      'A,1.10,2019,007,true,1,12345678901234567890,0.30000000000000004,',
      'B,1.5,-3,8,false,x,1,2.5,',
      'C,2,,9,,TRUE,2,,',
    ].join('\n')
    expect(await attributesOf(csv)).toEqual([
      {
        price: '1.10',
        year: 2019,
        code: '007',
        rare: true,
        mixed: '1',
        big: '12345678901234567890',
        exact: 0.30000000000000004,
      },
      { price: '1.5', year: -3, code: '8', rare: false, mixed: 'x', big: '1', exact: 2.5 },
      { price: '2', code: '9', mixed: 'TRUE', big: '2' },
    ])
  })

  test('the item type decides before the column does', async () => {
    const schema = {
      type: 'object',
      properties: {
        title: { type: 'string' },
        price: { type: 'number' },
        code: { type: 'string' },
        any: { type: ['number', 'string'] },
      },
    }
    const { body: type } = await api.post('/v1/item-types', { name: 'Priced', schema })
    const options = { default_item_type_id: type.id }
    expect(await attributesOf('title,price,code,any\nA,1.10,7,1.10\nB,2,8,2', options)).toEqual([
      { price: 1.1, code: '7', any: '1.10' },
      { price: 2, code: '8', any: 2 },
    ])
  })
})
