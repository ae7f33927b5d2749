import { useTranslations } from 'next-intl'
import { LinkButton } from './button'

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
      <span>
        {total !== undefined && `${isEstimate ? 'about ' : ''}${total.toLocaleString('en')} ${noun ?? 'in all'}`}
      </span>
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
