type Tick = { at: number; label: string }

const STEPS = 4
/** From here on labels are short: 12.5K. */
const SHORT_FROM = 10_000

/**
 * The ticks of an axis from zero that these values fit under, each with a label of its own. Whole values have whole
 * ticks.
 */
export function ticksOf(values: readonly number[], locale = 'en'): Tick[] {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  const isWhole = values.every(Number.isInteger)
  const step = stepOf(most - least || 1, isWhole)
  const [first, last] = [Math.floor(least / step), Math.max(1, Math.ceil(most / step))]
  return Array.from({ length: last - first + 1 }, (_, nth) => {
    const at = exact((first + nth) * step)
    return { at, label: labelOf(at, step, { isShort: Math.max(-least, most) >= SHORT_FROM, locale }) }
  })
}

/** One, two, two and a half or five of a power of ten. */
function stepOf(span: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(span / STEPS))
  const wanted = [1, 2, 2.5, 5, 10]
    .map((many) => exact(many * power))
    .filter((step) => !isWhole || Number.isInteger(step))
  return wanted.find((step) => step * STEPS >= span) ?? 1
}

/** Without what floating point adds. */
const exact = (value: number): number => Number(value.toPrecision(12))

function labelOf(at: number, step: number, { isShort, locale }: { isShort: boolean; locale: string }): string {
  if (isShort) return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 2 }).format(at)
  const places = placesOf(step)
  return at.toLocaleString(locale, { minimumFractionDigits: places, maximumFractionDigits: places })
}

/** How many decimals a step has. */
function placesOf(step: number): number {
  const [, digits = '', power = '0'] = /^\d(?:\.(\d+))?e([+-]\d+)$/.exec(step.toExponential()) ?? []
  return Math.max(0, digits.length - Number(power))
}
