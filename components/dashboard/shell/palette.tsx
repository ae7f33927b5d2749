'use client'

import type { ReactNode } from 'react'
import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { Search } from 'lucide-react'
import { classes } from '@/components/ui/classes'
import { Dialog } from '@/components/ui/dialog'
import { Checkbox } from '@/components/ui/checkbox'
import { useHydrated } from '@/components/ui/use-hydrated'
import { readStored, writeStored } from '@/components/shared/browser-storage'
import { later } from '@/components/shared/later'
import type { Permission } from '@/lib/platform/api/permissions'
import { leaveBy } from '../forms/unsaved'
import { PLACES } from './places'

const load = () => import('./palette-panel').then((module) => module.PalettePanel)
/** Preloads the panel. A failure shows when it is opened. */
const preload = () => void load().catch(() => undefined)
const PalettePanel = later(load)

const Open = createContext<() => void>(() => undefined)

const BY_KEY = new Map(
  PLACES.flatMap(({ entries }) =>
    entries.flatMap(({ key, href, name }) => (key ? [[key, { href, name }] as const] : [])),
  ),
)
/** How long after `g` a second key still counts. */
const SECOND_KEY_TIMEOUT_MS = 1500
/** The setting that turns single-key shortcuts off, stored in this browser. */
const SILENT = 'vitrine-single-keys-off'

/**
 * Search and keyboard shortcuts for everything inside: Ctrl or ⌘ K, `/`, `g` and a letter, `?`. Ignored while typing in
 * a field.
 */
export function Palette({ permissions, children }: { permissions: readonly Permission[]; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const [loaded, setLoaded] = useState(false) // the panel's code loads at its first use
  const [help, setHelp] = useState(false)
  const show = useCallback(() => {
    setLoaded(true)
    setOpen(true)
  }, [])
  useShortcuts({ show, explain: useCallback(() => setHelp(true), []) })
  return (
    <Open value={show}>
      <div className="contents">{children}</div>
      {loaded && (
        <PalettePanel
          open={open}
          permissions={permissions}
          onClose={() => setOpen(false)}
          onHelp={() => setHelp(true)}
        />
      )}
      <Shortcuts open={help} onOpenChange={setHelp} />
    </Open>
  )
}

function useShortcuts({ show, explain }: { show: () => void; explain: () => void }) {
  const router = useRouter()
  const pressedG = useRef(0)
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
        event.preventDefault()
        show()
        return
      }
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isTyping(event.target) ||
        document.querySelector('[role="dialog"]') ||
        readStored(SILENT)
      )
        return
      const place = event.timeStamp - pressedG.current < SECOND_KEY_TIMEOUT_MS ? BY_KEY.get(event.key) : undefined
      pressedG.current = event.key === 'g' ? event.timeStamp : -SECOND_KEY_TIMEOUT_MS
      if (place) leaveBy(() => router.push(place.href))
      else if (event.key === '/') show()
      else if (event.key === '?') explain()
      else return
      event.preventDefault()
    }
    // Captured: React stops what reaches a part of the page that it hasn't hydrated yet.
    addEventListener('keydown', press, true)
    return () => removeEventListener('keydown', press, true)
  }, [router, show, explain])
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, [role="menu"], [role="listbox"]') !== null)

/** The button that opens the search: looks like a field on a wide screen, an icon on a phone. */
export function PaletteButton({ small = false }: { small?: boolean }) {
  const t = useTranslations('dashboard.shell.search')
  const show = useContext(Open)
  return (
    <button
      type="button"
      onClick={show}
      onPointerEnter={preload}
      onFocus={preload}
      aria-haspopup="dialog"
      aria-label={small ? t('label') : undefined}
      aria-keyshortcuts="Control+K Meta+K"
      className={classes(
        'transition-colors hover:bg-well hover:text-ink',
        small
          ? 'grid size-9 place-items-center rounded-md text-muted'
          : 'flex min-h-9 w-full items-center gap-3 rounded-md border border-edge bg-pane px-3 text-sm ' +
              'text-muted hover:border-ink',
      )}
    >
      <Search aria-hidden="true" className="size-4.5 shrink-0" />
      {!small && (
        <>
          <span className="grow text-start">{t('label')}</span>
          <Hint />
        </>
      )}
    </button>
  )
}

function Hint() {
  const hydrated = useHydrated()
  return <Keys keys={hydrated && /Mac|iPhone|iPad/.test(navigator.platform) ? ['⌘', 'K'] : ['Ctrl', 'K']} />
}

/** A key or key combination. */
function Keys({ keys }: { keys: string[] }) {
  return (
    <span aria-hidden="true" className="flex shrink-0 gap-1">
      {keys.map((key) => (
        <kbd key={key} className="min-w-5 rounded-sm border bg-well px-1 text-center font-sans text-xs text-muted">
          {key}
        </kbd>
      ))}
    </span>
  )
}

function Shortcuts({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const t = useTranslations('dashboard.shell')
  const hydrated = useHydrated()
  const lines = [
    { keys: ['Ctrl', 'K'], spoken: t('keys.searchSpoken'), description: t('keys.search') },
    { keys: ['/'], spoken: t('keys.slash'), description: t('keys.same') },
    ...[...BY_KEY].map(([key, { name }]) => ({
      keys: ['g', key],
      spoken: t('keys.then', { key }),
      description: t(`places.${name}`),
    })),
    { keys: ['?'], spoken: t('keys.questionMark'), description: t('keys.list') },
  ]
  return (
    <Dialog title={t('keys.title')} description={t('keys.lead')} open={open} onOpenChange={onOpenChange}>
      <ul className="grid gap-x-8 divide-y text-sm sm:grid-cols-2 sm:divide-y-0">
        {lines.map(({ keys, spoken, description }) => (
          <li key={spoken} className="flex min-h-9 items-center justify-between gap-4">
            <span>{description}</span>
            <span className="sr-only">{t('keys.spoken', { keys: spoken })}</span>
            <Keys keys={keys} />
          </li>
        ))}
      </ul>
      {hydrated && (
        <Checkbox
          label={t('keys.single')}
          hint={t('keys.singleHint')}
          defaultChecked={!readStored(SILENT)}
          onChange={(event) => writeStored(SILENT, event.target.checked ? null : '1')}
        />
      )}
    </Dialog>
  )
}
