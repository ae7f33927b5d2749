declare module 'subset-font' {
  type Options = {
    targetFormat: 'woff2' | 'truetype'
    /** Axes of a variable font: pinned to a value, or cut to a range. */
    variationAxes?: Record<string, number | { min: number; max: number }>
  }
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>
}
