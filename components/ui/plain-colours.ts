/** Replaces oklch(l c h) by #rrggbb, which every SVG viewer supports. */
export const withPlainColours = (markup: string): string =>
  markup.replace(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g, (_, lightness: string, chroma: string, hue: string) =>
    hexOf(Number(lightness), Number(chroma), Number(hue)),
  )

/** Uses the matrices of CSS Color 4; colours outside of sRGB are clipped. */
function hexOf(lightness: number, chroma: number, hue: number): string {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
  const shown = linear.map((part) => (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055))
  return `#${shown
    .map((part) =>
      Math.round(Math.min(1, Math.max(0, part)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}
