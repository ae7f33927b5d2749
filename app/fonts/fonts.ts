import localFont from 'next/font/local'

// Cut out of the package geist by `npm run fonts`: the letters of Western Europe in one file of two weights, all others in one that browsers
// load where a page has such a letter.
const sans = localFont({ src: './geist-sans.woff2', weight: '400 500', variable: '--font-geist-sans' })
const mono = localFont({ src: './geist-mono.woff2', weight: '400', variable: '--font-geist-mono', preload: false })
const sansRest = localFont({
  src: './geist-sans-rest.woff2',
  weight: '400 500',
  variable: '--font-geist-sans-rest',
  declarations: [{ prop: 'unicode-range', value: 'U+100-24F, U+370-52F, U+1E00-1EFF, U+20A0-20C0' }],
  preload: false,
  adjustFontFallback: false,
})
const monoRest = localFont({
  src: './geist-mono-rest.woff2',
  weight: '400',
  variable: '--font-geist-mono-rest',
  declarations: [{ prop: 'unicode-range', value: 'U+100-24F, U+370-52F, U+1E00-1EFF, U+20A0-20C0' }],
  preload: false,
  adjustFontFallback: false,
})

/** Classes that define the fonts for the page. */
export const fonts = [sans, mono, sansRest, monoRest].map(({ variable }) => variable).join(' ')
