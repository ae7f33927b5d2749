'use client'

import type { ReactNode } from 'react'
import { useEffect, useEffectEvent, useRef, useState, useTransition } from 'react'
import { useTranslations } from 'next-intl'
import { useRouter, useSearchParams } from 'next/navigation'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { classes } from '@/components/ui/classes'
import { Spinner } from '@/components/ui/spinner'
import { useHydrated } from '@/components/ui/use-hydrated'
import { hrefOf } from './href'

const TYPING_MS = 350
const PARTS = '[&>*]:max-w-full [&>*]:min-w-0 [&>*]:grow sm:[&>*]:max-w-56 sm:[&>*]:grow-0'

/**
 * Filters in the query string, so that they can be shared. They apply as they are changed; without scripts a button
 * applies them.
 */
export function Filters({ path, active, children }: { path: string; active: boolean; children: ReactNode }) {
  const t = useTranslations('dashboard.common.list')
  const router = useRouter()
  const [busy, begin] = useTransition()
  const form = useRef<HTMLFormElement>(null)
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { key, ask } = useFieldsKey()
  const hydrated = useHydrated()

  function apply() {
    clearTimeout(typing.current)
    if (!form.current?.checkValidity()) return
    const values: Record<string, string[]> = {}
    for (const [name, value] of new FormData(form.current))
      if (typeof value === 'string') values[name] = [...(values[name] ?? []), value.trim()]
    const href = hrefOf(path, values)
    ask(href)
    begin(() => router.replace(href, { scroll: false }))
  }

  // Filters that were changed before the page listened are applied as well.
  const applyEarly = useEffectEvent(() => {
    if ([...(form.current?.elements ?? [])].some(isChanged)) apply()
  })
  useEffect(() => {
    applyEarly()
    return () => clearTimeout(typing.current)
  }, [])

  return (
    <form
      key={key}
      ref={form}
      action={path}
      method="get"
      role="search"
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
      onChange={({ target }) => {
        clearTimeout(typing.current)
        if (target instanceof HTMLSelectElement) apply()
        else typing.current = setTimeout(apply, TYPING_MS)
      }}
      className={`flex flex-wrap items-end gap-3 ${PARTS}`}
    >
      <div className={`contents ${PARTS}`}>{children}</div>
      {/* Enter submits a form of several fields only where it has a button. */}
      <button type="submit" hidden />
      <div className={classes('flex min-h-10 items-center gap-2', hydrated && !active && !busy && 'max-sm:sr-only')}>
        <noscript>
          <Button type="submit">{t('filter')}</Button>
        </noscript>
        {active && (
          <LinkButton href={path} variant="quiet">
            {t('clear')}
          </LinkButton>
        )}
        <span role="status" className="text-muted">
          {busy && (
            <>
              <Spinner />
              <span className="sr-only">{t('filtering')}</span>
            </>
          )}
        </span>
      </div>
    </form>
  )
}

function isChanged(field: Element): boolean {
  if (field instanceof HTMLSelectElement) return [...field.options].some((one) => one.selected && !one.defaultSelected)
  return field instanceof HTMLInputElement && field.value !== field.defaultValue
}

/**
 * A key of the form's fields. It changes when another link led to other filters, so that the fields show these; it
 * stays when the fields themselves asked for them, so that whoever types keeps the focus.
 */
function useFieldsKey() {
  const given = useSearchParams().toString()
  const [{ key, shown, asked }, set] = useState({ key: given, shown: given, asked: [] as string[] })
  if (given !== shown) {
    const at = asked.lastIndexOf(given)
    set(at < 0 ? { key: given, shown: given, asked: [] } : { key, shown: given, asked: asked.slice(at + 1) })
  }
  const ask = (href: string) =>
    set((before) => ({ ...before, asked: [...before.asked, href.slice(href.indexOf('?') + 1 || href.length)] }))
  return { key, ask }
}
