const channelsOf = (colour: string) =>
  [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255) as [number, number, number]
const linear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)

/** Relative luminance of #rrggbb (WCAG 2), 0 to 1. */
function luminanceOf(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map(linear) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast ratio of two #rrggbb colours (WCAG 2): 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** The text colour, white or near-black, with the higher contrast on this background. */
export const readableOn = (background: string): '#ffffff' | '#14211f' =>
  contrastOf('#ffffff', background) >= contrastOf('#14211f', background) ? '#ffffff' : '#14211f'

/** A colour as text and lines on our pages, and as a soft ground for such text. */
type Accent = { strong: string; soft: string }
/**
 * A brand's colour as accents of each theme. `press` is the colour itself as the ground of a button, `pressInk` the
 * colour of the button's text.
 */
export type Accents = Record<'light' | 'dark', Accent> & { press: string; pressInk: string }

/** The pane of each theme, and of its grounds the one on which that theme's texts stand out least (app/globals.css). */
const GROUNDS = {
  light: { pane: '#ffffff', worst: '#edf2f0', towards: '#000000' },
  dark: { pane: '#141a19', worst: '#141a19', towards: '#ffffff' },
} as const

const SOFT_SHARE = 0.1
const STEP = 0.02

/** The colour made darker in light and lighter in dark, as little as its contrast of 4.5 needs. */
export const accentsOf = (colour: string): Accents => ({
  light: accentOn(colour, GROUNDS.light),
  dark: accentOn(colour, GROUNDS.dark),
  press: colour,
  pressInk: readableOn(colour),
})

function accentOn(colour: string, { pane, worst, towards }: (typeof GROUNDS)[keyof typeof GROUNDS]): Accent {
  for (let share = 0; ; share += STEP) {
    const strong = mixOf(colour, towards, Math.min(share, 1))
    const soft = mixOf(pane, strong, SOFT_SHARE)
    if (Math.min(contrastOf(strong, worst), contrastOf(strong, soft)) >= 4.5 || share >= 1) return { strong, soft }
  }
}

/** So much of `other` in `one`. */
function mixOf(one: string, other: string, share: number): string {
  const [from, to] = [channelsOf(one), channelsOf(other)]
  return `#${from
    .map((channel, at) => Math.round((channel + (to[at]! - channel) * share) * 255))
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')}`
}
