import type { ReactNode } from 'react'
import { Languages } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { type Locale, LOCALES } from '@/lib/core/locales'

/** Each language by its own name. */
const NAMES: Record<Locale, string> = {
  ar: 'العربية',
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  ja: '日本語',
  ko: '한국어',
  nl: 'Nederlands',
  pl: 'Polski',
  'pt-BR': 'Português (Brasil)',
  'zh-Hans': '简体中文',
}

const NAMED = Object.entries(NAMES) as [Locale, string][]

type Props = {
  choose: (form: FormData) => Promise<void>
  /** The languages that the page speaks. */
  among?: readonly Locale[]
  /** Hidden fields that are sent with the choice. */
  children?: ReactNode
}

/** The language of the page, and the others to choose from. It works without script. */
export function LanguageSwitch({ choose, among = LOCALES, children }: Props) {
  const t = useTranslations('common')
  const current = useLocale()
  return (
    <details>
      <summary className="inline-flex cursor-pointer items-center gap-1.5 rounded-sm hover:text-ink">
        <Languages aria-hidden="true" className="size-4 shrink-0" />
        <span className="sr-only">{`${t('language')} `}</span>
        <span>{NAMES[current]}</span>
      </summary>
      <form action={choose} aria-label={t('language')} className="mt-2 -ms-2 flex flex-wrap">
        <div className="contents">{children}</div>
        {NAMED.filter(([locale]) => among.includes(locale)).map(([locale, name]) => (
          <button
            key={locale}
            type="submit"
            name="language"
            value={locale}
            lang={locale}
            aria-current={locale === current ? 'true' : undefined}
            className="min-h-9 rounded-md px-2 hover:bg-well hover:text-ink aria-[current=true]:text-ink"
          >
            {name}
          </button>
        ))}
      </form>
    </details>
  )
}
