import { useLocale, useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { DEFAULT_LOCALE } from '@/lib/core/locales'

type Missing = { what: 'mail' | 'network' | 'operator' | 'funds' | 'cards'; blocks: boolean; detail: string }

/** The things that the installation still lacks. Those that a gift waits for come first. */
export function MissingList({ missing }: { missing: Missing[] }) {
  const t = useTranslations('dashboard.overview.missing')
  const isEnglish = useLocale() === DEFAULT_LOCALE
  if (missing.length === 0) return null
  const blocks = missing.some((each) => each.blocks)
  return (
    <Alert tone={blocks ? 'warning' : 'info'} title={blocks ? t('blocks') : t('good')}>
      <ul className="grid gap-1">
        {missing
          .toSorted((a, b) => Number(b.blocks) - Number(a.blocks))
          .map(({ what, detail }) => (
            <li key={`${what} ${detail}`} className="wrap-anywhere">
              {isEnglish ? detail : t(`texts.${what}`)}
            </li>
          ))}
      </ul>
    </Alert>
  )
}
