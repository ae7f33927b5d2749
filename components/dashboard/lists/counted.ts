/** A noun for one and for several. */
export type Noun = readonly [one: string, several: string]

/** "1 item", "1,200 items". */
export const counted = (count: number | bigint, [one, several]: Noun, locale = 'en'): string =>
  `${count.toLocaleString(locale)} ${Number(count) === 1 ? one : several}`
