import { renderToStaticMarkup } from 'react-dom/server'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { ItemArt, drawArt } from '../../components/ui/art.tsx'
import { coloursOf } from '../../components/ui/colours.ts'
import { ItemPicture } from '../../components/ui/picture.tsx'
import { svgText } from '../../components/ui/svg-text.ts'
import { inEnglish } from '../support/in-english.ts'

const draw = (title: string, media = { image: null } as Parameters<typeof ItemPicture>[0]['item']['media']) =>
  renderToStaticMarkup(inEnglish(createElement(ItemPicture, { item: { title, media } })))

test('colours are read from colour words and hex values of attributes, flat or as { value }', () => {
  expect(coloursOf({ colour: { value: 'Teal and copper' }, edge: '#ff0000' })).toEqual([
    188,
    50,
    expect.closeTo(29, -1),
  ])
  expect(coloursOf({ title: 'Red Kite', description: 'blue' })).toEqual([])
})

test('the same title is always drawn the same, another title differently', () => {
  expect(draw('The Night Heron')).toBe(draw('The Night Heron'))
  expect(draw('The Night Heron')).not.toBe(draw('The Night Herons'))
})

test('generated art is written as text just as React renders it', () => {
  for (const title of ['The Night Heron', 'Moonflower', 'a', 'b', 'c', 'd', 'e', 'f', '"<&>']) {
    const rendered = renderToStaticMarkup(createElement(ItemArt, { title, colours: [20] }))
    const clip = /clipPath id="([^"]+)"/.exec(rendered)?.[1] ?? ''
    const inner = rendered.replace(/^<svg[^>]*>/, '').replace(/<\/svg>$/, '')
    expect(svgText(drawArt(title, [20], clip))).toBe(inner)
    expect(svgText(createElement('svg', { 'aria-label': title }))).toBe(
      renderToStaticMarkup(createElement('svg', { 'aria-label': title })),
    )
  }
})

test('a picture of another host is never loaded', () => {
  const elsewhere = 'https://example.com/owl.png'
  const image = { cid: null, full: elsewhere, original: elsewhere, thumb: elsewhere, tiny: elsewhere }
  expect(draw('Owl', { image })).not.toContain('example.com')
  const stored = { ...image, cid: 'bafy', full: 'https://vitrine.example/media/owl.webp' }
  expect(draw('Owl', { image: stored })).toContain('src="/media/owl.webp"')
})
