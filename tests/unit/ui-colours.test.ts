import { renderToStaticMarkup } from 'react-dom/server'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { coloursOf } from '../../components/ui/colours.ts'
import { ItemPicture } from '../../components/ui/picture.tsx'

const draw = (title: string, media = { image: null } as Parameters<typeof ItemPicture>[0]['item']['media']) =>
  renderToStaticMarkup(createElement(ItemPicture, { item: { title, media } }))

test('colour words and hex colours of attributes are found, flat or as { value }', () => {
  expect(coloursOf({ colour: { value: 'Teal and copper' }, edge: '#ff0000' })).toEqual([
    188,
    50,
    expect.closeTo(29, -1),
  ])
  expect(coloursOf({ title: 'Red Kite', description: 'blue' })).toEqual([])
})

test('the same title is always drawn the same, another one otherwise', () => {
  expect(draw('The Night Heron')).toBe(draw('The Night Heron'))
  expect(draw('The Night Heron')).not.toBe(draw('The Night Herons'))
})

test('a picture from elsewhere is never asked for', () => {
  const elsewhere = 'https://example.com/owl.png'
  const image = { cid: null, full: elsewhere, original: elsewhere, thumb: elsewhere, tiny: elsewhere }
  expect(draw('Owl', { image })).not.toContain('example.com')
  const kept = { ...image, cid: 'bafy', full: 'https://vitrine.example/media/owl.webp' }
  expect(draw('Owl', { image: kept })).toContain('src="/media/owl.webp"')
})
