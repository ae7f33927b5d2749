import { expect, test } from 'vitest'
import { attributesFrom, metadataLocationOf } from '../../lib/catalog/items/foreign-metadata.ts'

test('token metadata is read from a data: address or fetched from an https: address', () => {
  expect(metadataLocationOf('https://example.com/{id}.json', '255', '')).toEqual({
    kind: 'url',
    url: `https://example.com/${'ff'.padStart(64, '0')}.json`,
  })
  expect(metadataLocationOf(' https://example.com/1 ', '1', '')).toEqual({ kind: 'url', url: 'https://example.com/1' })
  expect(
    metadataLocationOf(`data:application/json;base64,${Buffer.from('{"name":"ä"}').toString('base64')}`, '1', ''),
  ).toEqual({
    kind: 'inline',
    json: '{"name":"ä"}',
  })
  expect(metadataLocationOf('data:application/json;utf8,{"name":"100%"}', '1', '')).toEqual({
    kind: 'inline',
    json: '{"name":"100%"}',
  })
  expect(metadataLocationOf('data:application/json,%7B%22name%22%3A%22A%22%7D', '1', '')).toEqual({
    kind: 'inline',
    json: '{"name":"A"}',
  })
  for (const uri of [
    '',
    'ipfs://x',
    'ftp://example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    `data:application/json,${'x'.repeat(1_100_000)}`,
    'https://',
  ])
    expect(metadataLocationOf(uri, '1', '')).toEqual({ kind: 'unknown' })
})

test('ipfs: addresses are read through the chosen gateway, and only below its /ipfs/ path', () => {
  const gateway = 'https://gateway.example/'
  expect(metadataLocationOf('ipfs://bafy1/{id}.json', '1', gateway)).toEqual({
    kind: 'url',
    url: `https://gateway.example/ipfs/bafy1/${'1'.padStart(64, '0')}.json`,
  })
  expect(metadataLocationOf('ipfs://ipfs/Qm2/a b', '1', gateway)).toEqual({
    kind: 'url',
    url: 'https://gateway.example/ipfs/Qm2/a b',
  })
  for (const uri of [
    'ipfs://../admin',
    'ipfs://bafy1/../../admin',
    'ipfs://bafy1/%2e%2e/%2e%2e/admin',
    'ipfs://bafy1/../bafy12',
    'ipfs://',
    'ipfs:///x',
  ])
    expect(metadataLocationOf(uri, '1', gateway), uri).toEqual({ kind: 'unknown' })
  expect(
    attributesFrom({ name: 'A', image: 'ipfs://bafy1/a.png', animation_url: 'ipfs://bafy1/../../b' }, 'x', gateway),
  ).toEqual({ title: 'A', image_url: 'https://gateway.example/ipfs/bafy1/a.png' })
  expect(attributesFrom({ name: 'A', image: 'ipfs://bafy1/a.png' }, 'x', '')).toEqual({ title: 'A' })
})

test('a foreign document becomes valid, bounded item attributes, whatever it contains', () => {
  expect(attributesFrom(null, 'Strange #1', '')).toEqual({ title: 'Strange #1' })
  expect(attributesFrom('text', 'Strange #1', '')).toEqual({ title: 'Strange #1' })
  expect(
    attributesFrom(
      {
        name: ' A\u0000 name ',
        description: 'Two\nlines\u0007',
        image: 'https://example.com/a.png',
        animation_url: 'http://example.com',
        external_url: 'javascript:x',
      },
      'x',
      '',
    ),
  ).toEqual({
    title: 'A name',
    description: 'Two\nlines',
    image_url: 'https://example.com/a.png',
  })
  const traits = [
    { trait_type: 'tag', value: 'a' },
    { trait_type: 'tag', value: 'b' },
    { trait_type: 'size', value: 3 },
    { trait_type: 'rare', value: true },
    { trait_type: 'title', value: 'forged' },
    { trait_type: '__proto__', value: 'x' },
    { trait_type: 'a:b', value: 'c' },
    { trait_type: 'deep', value: {} },
    null,
    'x',
  ]
  expect(attributesFrom({ name: 'A', attributes: traits }, 'x', '')).toEqual({
    title: 'A',
    tag: ['a', 'b'],
    size: 3,
    rare: true,
    'a b': 'c',
  })
  const many = attributesFrom(
    { attributes: Array.from({ length: 5_000 }, (_, at) => ({ trait_type: `t${at}`, value: 'v'.repeat(1_000) })) },
    'x',
    '',
  )
  expect(Object.keys(many).length).toBeLessThanOrEqual(100)
  expect(JSON.stringify(many).length).toBeLessThan(70_000)
})

test('many traits of one document are read within the limits, without reading them again for each', () => {
  const attributes = Array.from({ length: 30_000 }, (_, at) => ({ trait_type: 'n', value: at }))
  const { n } = attributesFrom({ attributes }, 'x', '')
  expect((n as number[]).slice(0, 3)).toEqual([0, 1, 2])
  expect(JSON.stringify(n).length).toBeLessThan(70_000)
})
