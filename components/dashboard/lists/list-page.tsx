import type { ReactElement, ReactNode } from 'react'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { X } from 'lucide-react'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Filters } from './filters'
import { hrefOf } from './href'
import { Refresh } from '../shell/refresh'
import { ViewsBar } from './saved-views'

export type Filter = {
  /** In the query. */
  value: string | string[] | null | undefined
  label: string
  /** The value's label; the value itself unless given. */
  shown?: ReactNode
}

export type ListPageProps = {
  path: string
  title: string
  description: ReactNode
  actions?: ReactNode
  /** Shown between the title and the list. */
  above?: ReactElement | false | null
  /** Singular and plural. */
  noun: readonly [string, string]
  page: { results: readonly unknown[]; cursor: string | null; total_results: number; total_is_estimate?: true }
  /** The cursor of this page. */
  cursor?: string | null | undefined
  /** The filters, by their names in the query. */
  filters?: Record<string, Filter>
  /** The filters' fields; without them there is no filter form. */
  fields?: ReactNode
  /** Shown while the list is empty. */
  empty: { title: string; children: ReactNode; action?: ReactNode }
  /** Shown when no row matches the filters. */
  none?: { title?: string; children?: ReactNode }
  /** Reloads the page at this interval. */
  refreshSeconds?: number | false
  children: ReactNode
}

const isGiven = ({ value }: Filter) => (Array.isArray(value) ? value.length > 0 : Boolean(value))

/** The layout of every list: title, filters that can be removed one by one, rows, and links to further pages. */
export function ListPage({
  path,
  title,
  description,
  actions,
  above,
  noun,
  page,
  cursor,
  filters = {},
  fields,
  empty,
  none = {},
  refreshSeconds = false,
  children,
}: ListPageProps) {
  const t = useTranslations('dashboard.common.list')
  const given = Object.entries(filters).filter(([, filter]) => isGiven(filter))
  const values = Object.fromEntries(given.map(([name, { value }]) => [name, value]))
  const filtered = given.some(([name]) => name !== 'sort')
  return (
    <>
      {refreshSeconds !== false && <Refresh everySeconds={refreshSeconds} />}
      <PageHeader title={title} description={description} actions={actions} />
      {above}
      {(given.length > 0 || (fields && page.total_results > 0)) && (
        <div className="grid gap-3">
          {fields && (
            <Filters path={path} active={given.length > 0}>
              {fields}
            </Filters>
          )}
          <Chips path={path} given={given} values={values} />
          {fields && <ViewsBar path={path} />}
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
        first={cursor ? hrefOf(path, values) : null}
        next={page.cursor && hrefOf(path, { ...values, cursor: page.cursor })}
        total={page.total_results}
        isEstimate={page.total_is_estimate}
        noun={page.total_results === 1 ? noun[0] : noun[1]}
      />
    </>
  )
}

type Values = Record<string, Filter['value']>

function Chips({ path, given, values }: { path: string; given: [string, Filter][]; values: Values }) {
  const t = useTranslations('dashboard.common.list')
  const chips = given.flatMap(([name, { value, label, shown }]) =>
    [value ?? []].flat().map((one) => ({
      key: `${name} ${one}`,
      label,
      shown: shown ?? one,
      href: hrefOf(path, { ...values, [name]: Array.isArray(value) ? value.filter((other) => other !== one) : null }),
    })),
  )
  if (chips.length === 0) return null
  return (
    <ul aria-label={t('filters')} className="flex flex-wrap gap-2">
      {chips.map((chip) => (
        <li key={chip.key} className="max-w-full">
          <Link
            href={chip.href}
            className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border bg-pane py-1 ps-3 pe-2 text-sm hover:border-ink hover:bg-well"
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
