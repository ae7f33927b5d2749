import { useFormatter, useTranslations } from 'next-intl'
import { LinkButton } from './link-button'

/** Links to the first and the next batch of a list that is paged by cursor. */
export function Pager({
  first,
  next,
  total,
  isEstimate = false,
  noun,
}: {
  first?: string | null
  next?: string | null
  total?: number
  isEstimate?: boolean | undefined
  noun?: string
}) {
  const t = useTranslations('common.pager')
  if (!first && !next && total === undefined) return null
  return (
    <nav aria-label={t('pages')} className="flex flex-wrap items-center justify-between gap-3 text-sm text-muted">
      {total === undefined ? <span /> : <Total count={total} isEstimate={isEstimate} noun={noun} />}
      <span className="flex gap-2">
        {first && (
          <LinkButton href={first} size="sm" variant="quiet">
            {t('first')}
          </LinkButton>
        )}
        {next && (
          <LinkButton href={next} size="sm">
            {t('next')}
          </LinkButton>
        )}
      </span>
    </nav>
  )
}

/** How many rows a list of the dashboard has. */
function Total({ count, isEstimate, noun }: { count: number; isEstimate: boolean; noun: string | undefined }) {
  const t = useTranslations('dashboard.common.total')
  const format = useFormatter()
  return <span>{t(isEstimate ? 'about' : 'exact', { count: format.number(count), noun: noun ?? t('inAll') })}</span>
}
