import localFont from 'next/font/local'

// Cut out of the package geist by `npm run fonts`: the letters of Western Europe in one file of two weights, all others
// in one that browsers load where a page has such a letter. The ranges leave out what the first file has: € and a few
// letters.
const sans = localFont({ src: './geist-sans.woff2', weight: '400 500', variable: '--font-geist-sans' })
const mono = localFont({ src: './geist-mono.woff2', weight: '400', variable: '--font-geist-mono', preload: false })
const sansRest = localFont({
  src: './geist-sans-rest.woff2',
  weight: '400 500',
  variable: '--font-geist-sans-rest',
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+100-130, U+132-140, U+143-151, U+154-15F, U+162-177, U+179-17C, U+17F-24F, U+370-52F, U+1E00-1EFF, U+20A0-20AB, U+20AD-20C0',
    },
  ],
  preload: false,
  adjustFontFallback: false,
})
const monoRest = localFont({
  src: './geist-mono-rest.woff2',
  weight: '400',
  variable: '--font-geist-mono-rest',
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+100-130, U+132-140, U+143-151, U+154-15F, U+162-177, U+179-17C, U+17F-24F, U+370-52F, U+1E00-1EFF, U+20A0-20AB, U+20AD-20C0',
    },
  ],
  preload: false,
  adjustFontFallback: false,
})

/** Classes that define the fonts for the page. */
export const fonts = [sans, mono, sansRest, monoRest].map(({ variable }) => variable).join(' ')
