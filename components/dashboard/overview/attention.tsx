import { useLocale, useTranslations } from 'next-intl'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { Card } from '@/components/ui/card'
import { classes } from '@/components/ui/classes'
import { Skeleton } from '@/components/ui/skeleton'
import { TextLink } from '@/components/ui/text-link'
import type { Attention } from '@/lib/core/attention'
import { DEFAULT_LOCALE } from '@/lib/core/locales'

/** The page where each kind is resolved. */
const LINKS = {
  alarm: null,
  purchase: (id) => id && `/dashboard/purchases/${id}`,
  payment_integration: () => '/dashboard/payments',
  payout: () => '/dashboard/settings#payout',
  deployment: (id) => id && `/dashboard/collections/${id}`,
  transaction: (id) => id && `/dashboard/transactions/${id}`,
  claim: (id) => id && `/dashboard/claims/${id}`,
  mail: (id) => id && `/dashboard/claims/${id}`,
  suppressions: () => '/dashboard/settings/email',
  email_integration: () => '/dashboard/settings/email',
  webhook: (id) => id && `/dashboard/webhooks/${id}`,
  import: (id) => id && `/dashboard/imports/${id}`,
  listing: (id) => id && `/dashboard/listings/${id}`,
} satisfies Record<Attention['kind'], ((id: string | null) => string | null) | null>

/** The matters that need a person, each with a link to the page where it is resolved. */
export function AttentionCard({ entries }: { entries: readonly Attention[] }) {
  const t = useTranslations('dashboard.overview.attention')
  const sentenceOf = useSentences()
  if (entries.length === 0)
    return (
      <p className="flex items-center gap-2.5 text-sm text-muted">
        <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-good" />
        <span>{t('none')}</span>
      </p>
    )
  return (
    <Card flush title={t('title')}>
      <ul className="divide-y border-t">
        {entries.map((entry) => {
          const { kind, urgent, subject, detail } = entry
          const href = LINKS[kind]?.(subject)
          const Icon = urgent ? CircleAlert : TriangleAlert
          return (
            <li
              key={`${kind} ${subject} ${detail}`}
              className={
                'grid grid-cols-[auto_minmax(0,1fr)] items-start gap-3 px-5 py-3 text-sm ' +
                'sm:grid-cols-[auto_minmax(0,1fr)_auto] sm:px-6'
              }
            >
              <Icon aria-hidden="true" className={classes('mt-0.5 size-4', urgent ? 'text-bad' : 'text-warn')} />
              <span className="wrap-anywhere">
                {urgent && <span className="sr-only">{`${t('urgent')} `}</span>}
                <span>{sentenceOf(entry)}</span>
              </span>
              {kind !== 'alarm' && href && (
                <TextLink href={href} className="w-fit max-sm:col-start-2">
                  {t(`links.${kind}`)}
                </TextLink>
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

/**
 * The sentence of an entry. Its own sentence is in English and knows the details; pages in another language say what
 * its code means.
 */
function useSentences(): (entry: Attention) => string {
  const t = useTranslations('dashboard.overview.attention')
  const isEnglish = useLocale() === DEFAULT_LOCALE
  return ({ detail, text: { code, values }, more }) => {
    if (isEnglish) return detail
    const key = `texts.${code}` as 'texts.alarm' // any code, so it is asked for first
    const text = t(t.has(key) ? key : 'texts.alarm', values as never)
    return more === undefined ? text : t('more', { text, count: more })
  }
}

/** Shown while the checks, which call networks, are running. */
export function AttentionSkeleton() {
  const t = useTranslations('dashboard.overview.attention')
  return (
    <div role="status" className="flex items-center gap-2.5">
      <Skeleton className="size-4" />
      <Skeleton className="h-5 w-72 max-w-full" />
      <span className="sr-only">{t('looking')}</span>
    </div>
  )
}
