/** A noun for one and for several. */
export type Noun = readonly [one: string, several: string]

/** "1 item", "1,200 items". */
export const counted = (count: number | bigint, [one, several]: Noun): string =>
  `${count.toLocaleString('en')} ${Number(count) === 1 ? one : several}`
