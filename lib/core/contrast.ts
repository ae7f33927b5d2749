const channelsOf = (colour: string) =>
  [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255) as [number, number, number]
const linear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)

/** Relative luminance of #rrggbb, as WCAG has it. */
function luminanceOf(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map(linear) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** How well two colours can be told apart: 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** White or near-black: whichever reads better on this ground. */
export const readableOn = (ground: string): '#ffffff' | '#14211f' =>
  contrastOf('#ffffff', ground) >= contrastOf('#14211f', ground) ? '#ffffff' : '#14211f'
