import { expect, test } from 'vitest'
import { formBody } from '../../lib/platform/http/form-body.ts'
import { readQuery } from '../../lib/platform/http/page-query.ts'
import { pageQuery } from '../../lib/core/page.ts'

const formOf = (...pairs: [string, string][]): FormData => {
  const form = new FormData()
  for (const [name, value] of pairs) form.append(name, value)
  return form
}

test('dots in names nest, empty fields are omitted, text is trimmed', () => {
  const form = formOf(
    ['name', ' Night garden '],
    ['description', ''],
    ['platform.symbol', 'NIGHT'],
    ['platform.max_supply', ''],
  )
  expect(formBody(form)).toEqual({ name: 'Night garden', platform: { symbol: 'NIGHT' } })
})

test('a suffix of the name sets the type of a field that isn’t text', () => {
  const form = formOf(
    ['is_public:flag', ''],
    ['soulbound:flag', ''],
    ['soulbound:flag', 'on'],
    ['bps:number', '250'],
    ['odd:number', 'many'],
    ['gone:number', ''],
    ['permissions:list', ''],
    ['permissions:list', 'items:read'],
    ['description:null', ''],
    ['known:json', '["a"]'],
    ['addresses:lines', 'a, b\nc'],
  )
  expect(formBody(form)).toEqual({
    is_public: false,
    soulbound: true,
    bps: 250,
    odd: 'many',
    permissions: ['items:read'],
    description: null,
    known: ['a'],
    addresses: ['a', 'b', 'c'],
  })
})

test('a form can’t write to prototypes, and $ACTION fields are omitted', () => {
  formBody(formOf(['__proto__.polluted', 'yes'], ['constructor.prototype.polluted', 'yes'], ['$ACTION_ID', 'x']))
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect(Object.keys(formBody(formOf(['$ACTION_ID', 'x'])))).toEqual([])
})

test('invalid and unknown query parameters of a page are ignored', () => {
  expect(readQuery(pageQuery(100), { limit: 'lots', order_direction: 'ASC', cursor: '', stray: 'x' })).toMatchObject({
    limit: 100,
    order_direction: 'ASC',
  })
})
