/** The languages that pages and mails for recipients and buyers speak. */
export const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt-BR', 'nl', 'pl', 'ja', 'ko', 'zh-Hans', 'ar'] as const
export type Locale = (typeof LOCALES)[number]

export const DEFAULT_LOCALE: Locale = 'en'

/** The languages that the dashboard and its sign-in speak. */
export const DASHBOARD_LOCALES = ['en', 'de'] as const satisfies readonly Locale[]
export type DashboardLocale = (typeof DASHBOARD_LOCALES)[number]

/** The first language of rows that have one, such as those of a claim, its campaign and its organization. */
export const localeOf = (...stored: readonly (string | null | undefined)[]): Locale =>
  stored.find((locale) => isLocale(locale)) ?? DEFAULT_LOCALE

const isLocale = (text: string | null | undefined): text is Locale => (LOCALES as readonly unknown[]).includes(text)

export const dirOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')
