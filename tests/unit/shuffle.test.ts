import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  canonicalJson,
  commitmentOf,
  contentHashOf,
  provenanceOf,
  shuffle,
} from '../../lib/catalog/collections/shuffle.ts'

const seedOf = (n: number) => createHash('sha256').update(`seed ${n}`).digest('hex')
const PROVENANCE = seedOf(-1)

test('a shuffle is a permutation, and the same for the same seed and contents', () => {
  for (const count of [1, 2, 9, 1_000]) {
    const order = shuffle(count, seedOf(count), PROVENANCE)
    expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, at) => at))
    expect(shuffle(count, seedOf(count), PROVENANCE)).toEqual(order)
  }
  expect(shuffle(9, seedOf(1), PROVENANCE)).not.toEqual(shuffle(9, seedOf(2), PROVENANCE))
  expect(shuffle(9, seedOf(1), PROVENANCE)).not.toEqual(shuffle(9, seedOf(1), seedOf(-2)))
})

test('all permutations are equally likely', () => {
  const seen = new Map<string, number>()
  for (let n = 0; n < 6_000; n++) {
    const order = shuffle(3, seedOf(n), PROVENANCE).join('')
    seen.set(order, (seen.get(order) ?? 0) + 1)
  }
  expect([...seen.keys()].sort()).toEqual(['012', '021', '102', '120', '201', '210'])
  for (const times of seen.values()) expect(Math.abs(times - 1_000)).toBeLessThan(120)
})

test('hashes of contents don’t depend on key order, but on values and item order', () => {
  expect(canonicalJson({ b: [1, { y: null, x: 'ä"' }], a: true })).toBe('{"a":true,"b":[1,{"x":"ä\\"","y":null}]}')
  expect(contentHashOf({ title: 'A', size: 1 })).toBe(contentHashOf({ size: 1, title: 'A' }))
  expect(contentHashOf({ title: 'A' })).not.toBe(contentHashOf({ title: 'B' }))
  expect(provenanceOf([contentHashOf(1), contentHashOf(2)])).not.toBe(
    provenanceOf([contentHashOf(2), contentHashOf(1)]),
  )
  expect(commitmentOf('00')).toBe(
    createHash('sha256')
      .update(Buffer.from([0]))
      .digest('hex'),
  )
})
