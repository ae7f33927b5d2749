'use client'

import type { ReactNode, RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { Dialog as Base } from '@base-ui/react/dialog'
import { Command } from 'cmdk'
import {
  ArrowRight,
  Frame,
  Keyboard,
  LayoutGrid,
  Mail,
  Megaphone,
  Plus,
  Search,
  ShoppingBag,
  Tag,
  Users,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { api, route } from '@/components/shared/api'
import { Spinner } from '@/components/ui/spinner'
import type { Permission } from '@/lib/platform/api/permissions'
import type { search, SearchKind } from '@/lib/platform/api/search'
import { leaveBy } from '../forms/unsaved'
import { ACTIONS, fits, type Place, PLACES } from './places'

type SearchResult = { kind: SearchKind; id: string; title: string; detail: string | null }

/** Each kind's name among the pages, icon and page. */
const KINDS = {
  COLLECTION: { name: 'collections', Icon: LayoutGrid, hrefOf: ({ id }) => `/dashboard/collections/${id}` },
  ITEM: { name: 'items', Icon: Frame, hrefOf: ({ id }) => `/dashboard/items/${id}` },
  LISTING: { name: 'listings', Icon: Tag, hrefOf: ({ id }) => `/dashboard/listings/${id}` },
  EMAIL_CLAIM: { name: 'claims', Icon: Mail, hrefOf: ({ id }) => `/dashboard/claims/${id}` },
  PURCHASE_INTENT: { name: 'purchases', Icon: ShoppingBag, hrefOf: ({ id }) => `/dashboard/purchases/${id}` },
  CAMPAIGN: { name: 'campaigns', Icon: Megaphone, hrefOf: ({ id }) => `/dashboard/campaigns/${id}` },
  MEMBER: {
    name: 'members',
    Icon: Users,
    hrefOf: ({ title }) => `/dashboard/members?email=${encodeURIComponent(title)}`,
  },
} satisfies Record<SearchKind, { name: Place['name']; Icon: LucideIcon; hrefOf: (found: SearchResult) => string }>

const searchRoute = route<typeof search>('GET', '/v1/search')
/** A search starts after a pause of this length in typing. */
const PAUSE_MS = 120

const valueOf = ({ kind, id }: SearchResult): string => `${kind} ${id}`

const EMPTY_MESSAGES = { looking: 'looking', failed: 'failed', idle: 'none' } as const

type Props = { permissions: readonly Permission[]; onClose: () => void; onHelp: () => void }

/** The search dialog. Closing it returns the focus to where it was. */
export function PalettePanel({ open, ...rest }: Props & { open: boolean }) {
  const t = useTranslations('dashboard.shell.search')
  const field = useRef<HTMLInputElement>(null)
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && rest.onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Base.Popup
          aria-label={t('label')}
          initialFocus={field}
          className={
            'fixed inset-x-3 top-3 z-50 mx-auto max-w-xl overflow-hidden rounded-lg border bg-pane text-ink ' +
            'shadow-lift outline-none sm:top-[12vh]'
          }
        >
          <Finder {...rest} field={field} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** The search field and its results: actions, pages and records. */
function Finder({ permissions, onClose, onHelp, field }: Props & { field: RefObject<HTMLInputElement | null> }) {
  const t = useTranslations('dashboard.shell')
  const router = useRouter()
  const [typed, setTyped] = useState('')
  const { results, state } = useSearch(typed.trim())
  const actions = ACTIONS.filter(({ permission }) => permissions.includes(permission))
    .map((action) => ({ ...action, label: t(`actions.${action.name}`) }))
    .filter(({ label }) => fits(label, typed))
  const pages = PLACES.flatMap(({ entries }) => entries)
    .map((place) => ({ ...place, label: t(`places.${place.name}`) }))
    .filter(({ label }) => fits(label, typed))
  const kinds = (Object.keys(KINDS) as SearchKind[])
    .map((kind) => ({ kind, found: results.filter((one) => one.kind === kind) }))
    .filter(({ found }) => found.length > 0)
  const go = (href: string) => () => {
    onClose()
    leaveBy(() => router.push(href))
  }
  const count = actions.length + pages.length + results.length
  // A new first entry is selected automatically; until the next one, the reader's own selection counts.
  const first = kinds[0]
    ? valueOf(kinds[0].found[0]!)
    : actions[0]
      ? `begin ${actions[0].name}`
      : pages[0]
        ? `go ${pages[0].href}`
        : ''
  const [picked, setPicked] = useState({ first: '', value: '' })
  return (
    <Command
      label={t('search.label')}
      shouldFilter={false}
      loop
      value={picked.first === first ? picked.value : first}
      onValueChange={(value) => setPicked({ first, value })}
      className="grid max-h-[min(32rem,calc(100dvh-1.5rem))] grid-rows-[auto_minmax(0,1fr)_auto]"
    >
      <div className="flex items-center gap-3 border-b px-4">
        {state === 'looking' ? (
          <Spinner className="text-muted" />
        ) : (
          <Search aria-hidden="true" className="size-4 shrink-0 text-muted" />
        )}
        <Command.Input
          ref={field}
          value={typed}
          onValueChange={setTyped}
          maxLength={255}
          placeholder={t('search.placeholder')}
          className="min-h-13 w-full min-w-0 bg-transparent text-base outline-none"
        />
      </div>
      <Command.List className="overflow-y-auto overscroll-contain p-2" label={t('search.results')}>
        {count === 0 && (
          <p className="px-3 py-8 text-center text-sm wrap-anywhere text-muted">
            {t(`search.${EMPTY_MESSAGES[state]}`, { typed: typed.trim() })}
          </p>
        )}
        {kinds.map(({ kind, found }) => {
          const { name, Icon, hrefOf } = KINDS[kind]
          return (
            <Group key={kind} heading={t(`places.${name}`)}>
              {found.map((one) => (
                <Entry key={one.id} value={valueOf(one)} Icon={Icon} onSelect={go(hrefOf(one))} detail={one.detail}>
                  {one.title}
                </Entry>
              ))}
            </Group>
          )
        })}
        {actions.length > 0 && (
          <Group heading={t('search.begin')}>
            {actions.map(({ href, name, label }) => (
              <Entry key={name} value={`begin ${name}`} Icon={Plus} onSelect={go(href)}>
                {label}
              </Entry>
            ))}
          </Group>
        )}
        {pages.length > 0 && (
          <Group heading={t('search.goTo')}>
            {pages.map(({ href, label, Icon }) => (
              <Entry key={href} value={`go ${href}`} Icon={Icon} onSelect={go(href)}>
                {label}
              </Entry>
            ))}
          </Group>
        )}
        {fits(t('keys.title'), typed) && (
          <Group heading={t('search.help')}>
            <Entry
              value="help"
              Icon={Keyboard}
              onSelect={() => {
                onClose()
                onHelp()
              }}
            >
              {t('keys.title')}
            </Entry>
          </Group>
        )}
      </Command.List>
      <p role="status" className="sr-only">
        {state === 'looking' ? t('search.looking') : t('search.count', { count })}
      </p>
    </Command>
  )
}

/** The server's results. A response to an earlier query is ignored. */
function useSearch(typed: string): { results: SearchResult[]; state: 'idle' | 'looking' | 'failed' } {
  const [answer, setAnswer] = useState<{ q: string; results: SearchResult[]; failed: boolean }>({
    q: '',
    results: [],
    failed: false,
  })
  useEffect(() => {
    if (!typed) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      api(searchRoute, { query: { q: typed } }, { signal: stop.signal }).then(
        ({ results }) => setAnswer({ q: typed, results, failed: false }),
        () => !stop.signal.aborted && setAnswer({ q: typed, results: [], failed: true }),
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [typed])
  if (!typed) return { results: [], state: 'idle' }
  return { results: answer.results, state: answer.q !== typed ? 'looking' : answer.failed ? 'failed' : 'idle' }
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className={
        'pb-1 [&>[cmdk-group-heading]]:px-3 [&>[cmdk-group-heading]]:py-1.5 [&>[cmdk-group-heading]]:text-xs ' +
        '[&>[cmdk-group-heading]]:font-medium [&>[cmdk-group-heading]]:text-muted'
      }
    >
      {children}
    </Command.Group>
  )
}

type EntryProps = { value: string; Icon: LucideIcon; onSelect: () => void; detail?: string | null; children: string }

function Entry({ value, Icon, onSelect, detail, children }: EntryProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className={
        'group flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 text-sm ' +
        'aria-selected:bg-glass-soft aria-selected:text-glass'
      }
    >
      <Icon aria-hidden="true" className="size-4.5 shrink-0 text-muted group-aria-selected:text-glass" />
      <span className="min-w-0 grow">
        <span className="line-clamp-1 wrap-anywhere">{children}</span>
        {detail && <span className="line-clamp-1 text-xs wrap-anywhere text-muted">{detail}</span>}
      </span>
      <ArrowRight aria-hidden="true" className="size-4 shrink-0 opacity-0 group-aria-selected:opacity-100" />
    </Command.Item>
  )
}
