import { useId } from 'react'
import type { ReactElement } from 'react'
import { classes } from './classes'

type Dice = () => number
type Palette = { ground: string; deep: string; main: string; second: string; light: string }

/** A random number generator seeded by the title (FNV-1a into mulberry32). */
function diceFor(title: string): Dice {
  let state = 2166136261
  for (const character of title) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16777619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function paletteFor(dice: Dice, colours: (number | null)[]): Palette {
  const rolled = dice() * 360
  const [main = rolled, second = main === null ? rolled : (main + 40 + dice() * 120) % 360] = colours
  const tone = (lightness: number, chroma: number, hue: number | null) =>
    `oklch(${lightness} ${hue === null ? 0.006 : chroma} ${Math.round(hue ?? 180)})`
  return {
    ground: tone(0.925, 0.024, main),
    deep: tone(0.31, 0.062, main),
    main: tone(0.6, 0.125, main),
    second: tone(0.72, 0.12, second),
    light: tone(0.975, 0.012, second),
  }
}

const pick = <T,>(dice: Dice, from: readonly T[]): T => from[Math.floor(dice() * from.length)]!

/** A disc cut by strata: a vessel, a planet, a seal. */
function strata(dice: Dice, colours: Palette, clip: string): ReactElement {
  const bands = Array.from({ length: 7 }, (_, at) => ({
    y: 80 + at * 36 + dice() * 10,
    bend: (dice() - 0.5) * 56,
    fill: pick(dice, [colours.deep, colours.main, colours.second, colours.light]),
  }))
  return (
    <>
      <clipPath id={clip}>
        <circle cx="200" cy="200" r="124" />
      </clipPath>
      <ellipse cx="200" cy="346" rx="112" ry="9" fill={colours.deep} fillOpacity="0.16" />
      <g clipPath={`url(#${clip})`}>
        <rect x="60" y="60" width="280" height="280" fill={colours.main} />
        {bands.map(({ y, bend, fill }) => (
          <path key={y} d={`M60 ${y}C150 ${y + bend} 250 ${y - bend} 340 ${y}V340H60Z`} fill={fill} />
        ))}
      </g>
    </>
  )
}

/** Arches within arches. */
function arches(dice: Dice, colours: Palette): ReactElement {
  const fills = [colours.deep, colours.main, colours.light, colours.second, colours.deep]
  const turn = Math.floor(dice() * fills.length)
  const step = 22 + dice() * 6
  return (
    <>
      {fills.map((_, at) => {
        const half = 132 - at * step
        return (
          <path
            key={at}
            d={`M${200 - half} 332V${60 + 132}a${half} ${half} 0 0 1 ${half * 2} 0V332Z`}
            fill={fills[(at + turn) % fills.length]}
          />
        )
      })}
      <path d="M40 332.5H360" stroke={colours.deep} strokeWidth="3" />
    </>
  )
}

/** A tiled floor of quarter circles. */
function tiles(dice: Dice, colours: Palette): ReactElement[] {
  const cells = Array.from({ length: 16 }, (_, at) => ({
    x: 64 + (at % 4) * 68,
    y: 64 + Math.floor(at / 4) * 68,
    corner: Math.floor(dice() * 4),
    fill: pick(dice, [colours.deep, colours.main, colours.second, colours.main]),
    ground: pick(dice, [colours.light, colours.ground, colours.light, colours.second]),
  }))
  const quarter = [
    'M0 0H68A68 68 0 0 1 0 68Z',
    'M68 0V68A68 68 0 0 1 0 0Z',
    'M68 68H0A68 68 0 0 1 68 0Z',
    'M0 68V0A68 68 0 0 1 68 68Z',
  ]
  return cells.map(({ x, y, corner, fill, ground }) => (
    <g key={`${x}-${y}`} transform={`translate(${x} ${y})`}>
      <rect width="68.5" height="68.5" fill={ground} />
      <path d={quarter[corner]} fill={fill} />
    </g>
  ))
}

/** Stacked stones on a plinth. */
function cairn(dice: Dice, colours: Palette): ReactElement {
  const stones = Array.from({ length: 4 }, (_, at) => ({
    width: 104 - at * 19 + dice() * 18,
    height: 33 - at * 2 + dice() * 7,
    shift: (dice() - 0.5) * 26,
    fill: [colours.deep, colours.main, colours.second, colours.main][at],
  }))
  const placed = stones.map((stone, at) => ({
    ...stone,
    cy: 300 - stones.slice(0, at).reduce((sum, other) => sum + other.height * 2 - 4, 0) - stone.height,
  }))
  return (
    <>
      <rect x="64" y="300" width="272" height="40" fill={colours.light} />
      <path d="M64 300.5H336" stroke={colours.deep} strokeWidth="2" strokeOpacity="0.5" />
      {placed.map(({ width, height, shift, cy, fill }) => (
        <ellipse key={cy} cx={200 + shift} cy={cy} rx={width} ry={height} fill={fill} />
      ))}
    </>
  )
}

const pieces = [strata, arches, tiles, cairn] as const

/**
 * The content of the picture's frame of 400 by 400.
 * @param clip an id that nothing else on the page has.
 */
export function drawArt(title: string, colours: (number | null)[], clip: string): ReactElement {
  const dice = diceFor(title)
  const palette = paletteFor(dice, colours)
  const draw = pick(dice, pieces)
  return (
    <>
      <rect width="400" height="400" fill={palette.ground} />
      {draw(dice, palette, clip)}
    </>
  )
}

/** A picture for an item that has none of its own: always the same for the same title and colours. */
export function ItemArt({
  title,
  label = title,
  lang,
  colours = [],
  className,
}: {
  title: string
  /** The picture's name in the page's language, and the name's own language where that is another. */
  label?: string
  lang?: string | undefined
  colours?: (number | null)[]
  className?: string
}) {
  const clip = useId()
  return (
    <svg viewBox="0 0 400 400" role="img" aria-label={label} lang={lang} className={classes('block', className)}>
      {drawArt(title, colours, clip)}
    </svg>
  )
}
