'use client'

import type { MouseEvent, ReactNode } from 'react'
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'next-intl'
import type { BulkOutcome } from '@/lib/platform/api/form-action'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Tr } from '@/components/ui/table'
import { toast } from '@/components/ui/toaster'
import { useFailureTexts } from '../forms/failure-texts'
import { UNDO_MS } from '../forms/undo'
import { counted, type Noun } from './counted'

/** A row that can be selected, and the actions that can be run on it. */
export type BulkRow = { id: string; name: string; can: readonly string[] }

type Selection = {
  rows: readonly BulkRow[]
  noun: Noun
  chosen: ReadonlySet<string>
  hidden: ReadonlySet<string>
  /** `range` extends the choice from the row chosen last up to this one. */
  choose: (id: string, on: boolean, range: boolean) => void
  chooseAll: (on: boolean) => void
  hide: (ids: readonly string[], on: boolean) => void
  /** Shows an action's outcome. Rows that failed stay chosen. */
  report: (outcome: BulkOutcome, messageOf: (count: string) => string, undo?: () => void) => void
}
const SelectionContext = createContext<Selection | null>(null)

export function useSelection(): Selection {
  const selection = useContext(SelectionContext)
  if (!selection) throw new Error('A bulk action needs a BulkList around it.')
  return selection
}

/** A table whose rows can be chosen, and a bar of actions for those chosen. */
export function BulkList({
  rows,
  noun,
  actions,
  children,
}: {
  rows: readonly BulkRow[]
  noun: Noun
  actions: ReactNode
  children: ReactNode
}) {
  const t = useTranslations('dashboard.common')
  const locale = useLocale()
  const { rowReason } = useFailureTexts()
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [failed, setFailed] = useState<BulkOutcome | null>(null)
  const last = useRef<string | null>(null)
  // A row that has left the page isn't chosen any more.
  const chosen = useMemo(
    () => new Set(rows.filter(({ id }) => marked.has(id) && !hidden.has(id)).map(({ id }) => id)),
    [rows, marked, hidden],
  )

  const rowsOf = (count: number) => counted(count, noun, locale)

  const selection: Selection = {
    rows,
    noun,
    chosen,
    hidden,
    choose(id, on, range) {
      const indexOf = (rowId: string | null) => rows.findIndex((row) => row.id === rowId)
      const [from, to] = [indexOf(range ? last.current : id), indexOf(id)].sort((a, b) => a - b)
      const ids = from! < 0 ? [id] : rows.slice(from, to! + 1).map((row) => row.id)
      last.current = id
      setMarked(new Set(on ? [...chosen, ...ids] : [...chosen].filter((one) => !ids.includes(one))))
    },
    chooseAll: (on) => setMarked(new Set(on ? rows.map(({ id }) => id) : [])),
    hide(ids, on) {
      setHidden((before) => new Set(on ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))))
      // A row that is shown again isn't chosen, so that the next deletion doesn't include it.
      if (on) setMarked((before) => new Set([...before].filter((id) => !ids.includes(id))))
    },
    report(outcome, messageOf, undo) {
      setMarked(new Set(outcome.failed.map(({ id }) => id)))
      setFailed(outcome.failed.length > 0 ? outcome : null)
      if (outcome.done.length === 0) return
      toast.success(
        messageOf(rowsOf(outcome.done.length)),
        undo && { action: { label: t('undo'), onClick: undo }, duration: UNDO_MS },
      )
    },
  }
  return (
    <SelectionContext value={selection}>
      {failed && (
        <Alert
          tone="warning"
          live
          title={t('bulk.failed', { rows: rowsOf(failed.done.length), failed: failed.failed.length })}
        >
          <ul className="grid gap-1">
            {failed.failed.map((failure) => (
              <li key={failure.id} className="wrap-anywhere">
                {`${rows.find((row) => row.id === failure.id)?.name ?? failure.id}: ${rowReason(failure)}`}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <div className="contents">{children}</div>
      <div aria-live="polite" className="sr-only">
        {chosen.size > 0 && t('bulk.chosen', { rows: rowsOf(chosen.size) })}
      </div>
      {chosen.size > 0 && (
        <section
          aria-label={t('bulk.chosen', { rows: noun[1] })}
          className={
            'sticky bottom-4 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-edge ' +
            'bg-pane px-4 py-3 shadow-lift'
          }
        >
          <p className="text-sm font-medium">{t('bulk.chosen', { rows: rowsOf(chosen.size) })}</p>
          <div className="flex grow flex-wrap gap-2">{actions}</div>
          <Button size="sm" variant="quiet" onClick={() => setMarked(new Set())}>
            {t('bulk.chooseNone')}
          </Button>
        </section>
      )}
    </SelectionContext>
  )
}

const checkboxClass = 'size-4.5 accent-glass'

/** Chooses all rows of the page. */
export function BulkAll() {
  const t = useTranslations('dashboard.common.bulk')
  const { rows, chosen, chooseAll, noun } = useSelection()
  const all = useRef<HTMLInputElement>(null)
  const some = chosen.size > 0 && chosen.size < rows.length
  useEffect(() => {
    if (all.current) all.current.indeterminate = some
  }, [some])
  return (
    <label className="inline-flex min-h-6 items-center">
      <input
        ref={all}
        type="checkbox"
        className={checkboxClass}
        checked={rows.length > 0 && chosen.size === rows.length}
        onChange={(event) => chooseAll(event.target.checked)}
      />
      <span className="sr-only">{t('all', { nouns: noun[1] })}</span>
    </label>
  )
}

/** Chooses one row; with the shift key, all rows from the one chosen last. */
export function BulkCheck({ id, name }: { id: string; name: string }) {
  const { chosen, choose } = useSelection()
  return (
    <label className="inline-flex min-h-8 items-center gap-2">
      <input
        type="checkbox"
        className={checkboxClass}
        checked={chosen.has(id)}
        onChange={() => undefined}
        onClick={(event: MouseEvent<HTMLInputElement>) => choose(id, !chosen.has(id), event.shiftKey)}
      />
      <span className="sr-only">{name}</span>
    </label>
  )
}

/** A row that is hidden while its deletion can still be undone. */
export function BulkTr({ id, children }: { id: string; children: ReactNode }) {
  const selection = useContext(SelectionContext)
  return selection?.hidden.has(id) ? null : <Tr>{children}</Tr>
}
