// npm run fonts: cuts the fonts of the pages out of the package geist, into app/fonts. What these files need changes
// seldom, so they are kept.
import fs from 'node:fs'
import path from 'node:path'
import subsetFont from 'subset-font'

const root = path.resolve(import.meta.dirname, '..')
const source = path.join(root, 'node_modules/geist')
const target = path.join(root, 'app/fonts')

const between = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)).join('')

/**
 * The letters of English and the languages of Western Europe, with the signs of our own pages. Every page loads them.
 */
const LATIN = `${between(0x20, 0x7e)}${between(0xa0, 0xff)}ıŒœŁłŠšŸŽžʼˆ˜–—‘’‚“”„†•…‹›€™←↑→↓−×⁄`
/**
 * Other letters that the fonts have. Browsers load these files where a page has such a letter. app/fonts/fonts.ts names
 * the ranges.
 */
const OTHERS = [
  [0x100, 0x24f],
  [0x370, 0x52f],
  [0x1e00, 0x1eff],
  [0x20a0, 0x20c0],
].map(([first, last]) => between(first!, last!))
const rest = [...OTHERS.join('')].filter((letter) => !LATIN.includes(letter)).join('')

const FONTS = [
  { name: 'geist-sans', file: 'geist-sans/Geist-Variable.ttf', weight: { min: 400, max: 500 } },
  { name: 'geist-mono', file: 'geist-mono/GeistMono-Variable.ttf', weight: 400 },
]

fs.mkdirSync(target, { recursive: true })
for (const { name, file, weight } of FONTS) {
  const font = fs.readFileSync(path.join(source, 'dist/fonts', file))
  const options = { targetFormat: 'woff2' as const, variationAxes: { wght: weight } }
  fs.writeFileSync(path.join(target, `${name}.woff2`), await subsetFont(font, LATIN, options))
  fs.writeFileSync(path.join(target, `${name}-rest.woff2`), await subsetFont(font, rest, options))
}
// Pictures of links are drawn with it, by a library that reads no WOFF2.
const drawn = fs.readFileSync(path.join(source, 'dist/fonts/geist-sans/Geist-Variable.ttf'))
fs.writeFileSync(
  path.join(target, 'geist-sans.ttf'),
  await subsetFont(drawn, LATIN + rest, { targetFormat: 'truetype', variationAxes: { wght: 500 } }),
)
fs.copyFileSync(path.join(source, 'LICENSE.txt'), path.join(target, 'LICENSE.txt'))
