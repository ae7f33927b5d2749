import type { Metadata } from 'next'
import { env } from '@/lib/core/env'
import { findLocale } from '@/lib/core/find-locale'
import { LOCALES } from '@/lib/core/locales'
import { pageUrl } from './locale-of-page'

/**
 * The addresses of a public page for search engines: one for each language, and the one that is in the visitor's
 * (`x-default`). The page is known by its address with the language that it was asked in, else by the one without.
 */
export async function alternatesOf(path: string): Promise<NonNullable<Metadata['alternates']> & { canonical: string }> {
  const url = `${env.ORIGIN}${path}`
  const inLanguage = (locale: string) => `${url}?lang=${locale}`
  const { searchParams } = await pageUrl()
  const asked = searchParams
    .getAll('lang')
    .map((tag) => findLocale(tag))
    .find((locale) => locale !== null)
  return {
    canonical: asked ? inLanguage(asked) : url,
    languages: { ...Object.fromEntries(LOCALES.map((locale) => [locale, inLanguage(locale)])), 'x-default': url },
  }
}
