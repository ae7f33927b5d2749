const two = (value: number, digits = 2): string => String(value).padStart(digits, '0')

/** A moment in the local time zone, as a datetime-local input shows it. Seconds are shown where there are some. */
export function localOf(moment: Date): string {
  const day = [two(moment.getFullYear(), 4), two(moment.getMonth() + 1), two(moment.getDate())].join('-')
  const [seconds, thousandths] = [moment.getSeconds(), moment.getMilliseconds()]
  const rest = [seconds || thousandths ? `:${two(seconds)}` : '', thousandths ? `.${two(thousandths, 3)}` : ''].join('')
  return `${day}T${two(moment.getHours())}:${two(moment.getMinutes())}${rest}`
}

/** A moment in UTC, as a datetime-local input shows it. Seconds are shown where there are some. */
export const utcOf = (moment: Date): string =>
  moment
    .toISOString()
    .replace(/Z$/, '')
    .replace(/\.000$/, '')
    .replace(/:00$/, '')

const HOUR_MS = 3_600_000

/**
 * The moments at which the local clock shows a time: none where it is set forward past it, two where it is set back.
 * Clocks are moved by three hours at most.
 */
export function momentsOf(local: string): Date[] {
  const near = new Date(local)
  if (Number.isNaN(near.getTime())) return []
  const offsets = [-24, 24].map((hours) => new Date(near.getTime() + hours * HOUR_MS).getTimezoneOffset())
  const asUtc = new Date(`${local}Z`).getTime()
  return [...new Set(offsets)]
    .map((offset) => new Date(asUtc + offset * 60_000))
    .filter((moment) => sameText(localOf(moment), local))
    .toSorted((a, b) => a.getTime() - b.getTime())
}

/** Browsers leave out seconds that are zero, or don't. */
const sameText = (a: string, b: string): boolean => new Date(`${a}Z`).getTime() === new Date(`${b}Z`).getTime()
