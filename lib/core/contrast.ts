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
