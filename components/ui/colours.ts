import { attributeValue } from './attribute-value'

/** Hues of the colour names that people write into attributes; null is grey. */
const hues: Record<string, number | null> = {
  red: 27,
  crimson: 18,
  scarlet: 30,
  ruby: 15,
  coral: 35,
  orange: 55,
  amber: 75,
  copper: 50,
  bronze: 65,
  gold: 88,
  golden: 88,
  yellow: 98,
  lime: 125,
  green: 148,
  emerald: 160,
  jade: 165,
  teal: 188,
  turquoise: 192,
  cyan: 205,
  azure: 235,
  blue: 257,
  navy: 262,
  indigo: 275,
  violet: 295,
  purple: 305,
  magenta: 330,
  pink: 350,
  rose: 8,
  brown: 55,
  black: null,
  white: null,
  silver: null,
  grey: null,
  gray: null,
}

/** The hues of the colours that an item's attributes name, at most three, in the attributes' order. */
export function coloursOf(attributes: Record<string, unknown> | undefined): (number | null)[] {
  const words = Object.entries(attributes ?? {})
    .filter(([name]) => name !== 'title' && name !== 'description' && name !== 'image_url')
    .map(([, attribute]) => attributeValue(attribute))
    .filter((value): value is string => typeof value === 'string')
    .flatMap((value) => value.toLowerCase().match(/#[0-9a-f]{6}\b|[a-z]+/g) ?? [])
  const found = words.flatMap((word) =>
    word.startsWith('#') ? [hueOfHex(word)] : word in hues ? [hues[word] ?? null] : [],
  )
  return [...new Set(found)].slice(0, 3)
}

/** The approximate hue of #rrggbb in oklch; null when it is nearly grey. */
function hueOfHex(hex: string): number | null {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2) as [
    number,
    number,
    number,
  ]
  const long = Math.cbrt(0.4122 * red + 0.5363 * green + 0.0514 * blue)
  const medium = Math.cbrt(0.2119 * red + 0.6807 * green + 0.1074 * blue)
  const short = Math.cbrt(0.0883 * red + 0.2817 * green + 0.63 * blue)
  const a = 1.978 * long - 2.4286 * medium + 0.4506 * short
  const b = 0.0259 * long + 0.7828 * medium - 0.8087 * short
  if (Math.hypot(a, b) < 0.02) return null
  return Math.round((Math.atan2(b, a) * 180) / Math.PI + 360) % 360
}
