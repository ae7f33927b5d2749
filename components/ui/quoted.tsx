import { useLocale } from 'next-intl'
import { languageOfLetters } from '@/lib/core/language-of-letters'
import type { Locale } from '@/lib/core/locales'

/**
 * How a text that an organization or a person wrote is read on a page in `locale`: in its own direction, and in its own
 * language where its letters tell it.
 */
export const writingOf = (text: string, locale: Locale) =>
  ({ dir: 'auto', lang: languageOfLetters(text, locale) }) as const

/** Such a text within a sentence or a heading. */
export function Quoted({ children: text, className }: { children: string; className?: string }) {
  return (
    <bdi lang={languageOfLetters(text, useLocale())} className={className}>
      {text}
    </bdi>
  )
}
