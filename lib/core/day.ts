const DAY_FORMAT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A day for people, by UTC: 20 December 2026. */
export const dayOf = (date: Date): string => DAY_FORMAT.format(date)
