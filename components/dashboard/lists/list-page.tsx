import type { ReactElement, ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { useTranslations } from 'next-intl'
import { SlidersHorizontal, X } from 'lucide-react'
import type { Sort } from '@/lib/platform/api/list-sorts'
import { Badge } from '@/components/ui/badge'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import type { Noun } from './counted'
import { type Filter, FilterForm, givenOf, valuesOf } from './filter-form'
import { hrefOf } from './href'
import { Refresh } from '../shell/refresh'
import { ViewsBar } from './saved-views'

type Query = { cursor?: string | null | undefined; sort?: Sort | null }

type ListPageProps<Q extends Query> = {
  path: string
  title: string
  description: ReactNode
  actions?: ReactNode
  /** Shown between the title and the list. */
  above?: ReactElement | false | null
  /** Singular and plural. */
  noun: Noun
  page: { results: readonly unknown[]; cursor: string | null; total_results: number; total_is_estimate?: true }
  query: Q
  filters?: readonly Filter<Extract<keyof NoInfer<Q>, string>>[]
  sorts?: readonly Sort[]
  /** Shown while the list is empty. */
  empty: { title: string; children: ReactNode; action?: ReactNode }
  /** Shown when no row matches the filters. */
  none?: { title?: string; children?: ReactNode }
  /** Reloads the page at this interval. */
  refreshSeconds?: number | false
  children: ReactNode
}

/** The layout of every list: title, filters that can be removed one by one, rows, and links to further pages. */
export function ListPage<Q extends Query>({
  path,
  title,
  description,
  actions,
  above,
  noun,
  page,
  query,
  filters = [],
  sorts,
  empty,
  none = {},
  refreshSeconds = false,
  children,
}: ListPageProps<Q>) {
  const t = useTranslations('dashboard.common.list')
  const tSort = useTranslations('dashboard.common.sort')
  const sortedBy = sorts?.map((sort) => [sort, tSort(sort)] as const)
  const all: readonly Filter[] = [
    ...filters,
    ...(sortedBy ? [{ name: 'sort', label: tSort('by'), options: sortedBy, any: tSort('newest') }] : []),
  ]
  const values = valuesOf(all, query)
  const given = givenOf(all, query)
  const hasFields = all.some(({ options, input }) => options || input)
  const filtered = given.some(({ name }) => name !== 'sort')
  return (
    <>
      <Refresh everySeconds={refreshSeconds} />
      <PageHeader title={title} description={description} actions={actions} />
      {above}
      {(given.length > 0 || (hasFields && page.total_results > 0)) && (
        <div className="grid gap-3">
          {hasFields && (
            <FoldedOnPhone label={t('fold')} count={given.length}>
              <FilterForm path={path} filters={all} query={query} />
            </FoldedOnPhone>
          )}
          <Chips path={path} given={given} values={values} />
          {hasFields && <ViewsBar path={path} />}
        </div>
      )}
      {page.results.length > 0 ? (
        <div className="contents">{children}</div>
      ) : (
        <Card>
          {filtered ? (
            <EmptyState
              title={none.title ?? t('none', { noun: noun[1] })}
              action={<LinkButton href={path}>{t('all')}</LinkButton>}
            >
              {none.children}
            </EmptyState>
          ) : (
            <EmptyState title={empty.title} action={empty.action}>
              {empty.children}
            </EmptyState>
          )}
        </Card>
      )}
      <Pager
        first={query.cursor ? hrefOf(path, values) : null}
        next={page.cursor && hrefOf(path, { ...values, cursor: page.cursor })}
        total={page.total_results}
        isEstimate={page.total_is_estimate}
        noun={page.total_results === 1 ? noun[0] : noun[1]}
      />
    </>
  )
}

/**
 * On a phone a button shows these filters, and how many are active, so that the first screen has rows. It works without
 * scripts.
 */
function FoldedOnPhone({ label, count, children }: { label: string; count: number; children: ReactNode }) {
  return (
    <>
      <details className="peer justify-self-start sm:hidden">
        <summary
          className={
            'flex min-h-10 list-none items-center gap-2 rounded-md border border-edge bg-pane px-4 ' +
            'text-sm font-medium hover:border-ink [&::-webkit-details-marker]:hidden'
          }
        >
          <SlidersHorizontal aria-hidden="true" className="size-4" />
          <span>{label}</span>
          {count > 0 && <Badge tone="info">{String(count)}</Badge>}
        </summary>
      </details>
      <div className="max-sm:peer-[:not([open])]:hidden">{children}</div>
    </>
  )
}

type ChipsProps = { path: string; given: ReturnType<typeof givenOf>; values: ReturnType<typeof valuesOf> }

function Chips({ path, given, values }: ChipsProps) {
  const t = useTranslations('dashboard.common.list')
  const chips = given.map(({ name, label, value, shown }) => {
    const others = [values[name] ?? []].flat().filter((other) => other !== value)
    return { key: `${name} ${value}`, label, shown, href: hrefOf(path, { ...values, [name]: others }) }
  })
  if (chips.length === 0) return null
  return (
    <ul aria-label={t('filters')} className="flex flex-wrap gap-2">
      {chips.map((chip) => (
        <li key={chip.key} className="max-w-full">
          <Link
            href={chip.href}
            className={
              'inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border bg-pane py-1 ps-3 ' +
              'pe-2 text-sm hover:border-ink hover:bg-well'
            }
          >
            <span className="sr-only">{`${t('removeFilter')} `}</span>
            <span className="min-w-0 wrap-anywhere">
              <span className="text-muted">{chip.label}</span> <span>{chip.shown}</span>
            </span>
            <X aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
