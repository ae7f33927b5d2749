'use client'

import type { RefObject } from 'react'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { usePathname } from 'next/navigation'
import { deviceNow } from '@/components/shared/server-clock'
import type { Opened } from '@/lib/platform/api/form-action'
import { useHydrated } from '@/components/ui/use-hydrated'
import { useDraftOwner } from './draft-owner'
import { type Draft, draftName, readDraft, writeDraft } from './drafts'
import { cameWith, enterValues, type Values, valuesOf } from './form-values'
import { guardForm } from './unsaved'

/** A value that a form keeps in React besides its fields, and how to put it back. */
export type DraftPart = { value: unknown; put: (value: unknown) => void }
export type DraftParts = Record<string, DraftPart>

/** A part of a draft. What is put back was written by the same form, so it has the same type. */
export const draftPart = <T>(value: T, put: (value: T) => void): DraftPart => ({
  value,
  put: (stored) => put(stored as T),
})

const NO_PARTS: DraftParts = {}
const TYPING_MS = 400
/** A field that another one reveals is there after the next rendering. */
const MOST_PASSES = 5

type Latest = { form: HTMLFormElement | null; parts: DraftParts; offered: Draft | null; opened: Opened | undefined }
type Options = {
  form: RefObject<HTMLFormElement | null>
  /** The form's name among the drafts of its page. Without it no draft is stored: for short forms, and for secrets. */
  draft?: string | undefined
  parts?: DraftParts | undefined
  /** The values that the form is compared with when it is saved, and how to put them back. */
  opened?: { value: Opened | undefined; put: (opened: Opened) => void }
}

/** Asks before a form with changes is left, and keeps a draft of it in this browser until it is saved. */
export function useUnsaved({ form, draft, parts = NO_PARTS, opened }: Options) {
  const owner = useDraftOwner()
  const hydrated = useHydrated()
  const path = usePathname()
  const name = owner !== null && draft !== undefined ? draftName(owner, `${path}/${draft}`) : null
  const [found, setOffered] = useState<Draft | null>()
  // Stored values can be read in the browser only.
  if (hydrated && found === undefined) setOffered(name === null ? null : readDraft(name))
  const offered = found ?? null
  const saved = useRef<string | null>(null)
  const came = useRef<Values>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef<Latest>({ form: null, parts, offered, opened: opened?.value })
  useEffect(() => {
    latest.current = { form: form.current, parts, offered, opened: opened?.value }
  })

  const entered = useCallback((read = valuesOf) => {
    const { form, parts } = latest.current
    const values = form ? read(form) : []
    return { values, parts: Object.fromEntries(Object.entries(parts).map(([part, { value }]) => [part, value])) }
  }, [])
  const isChanged = useCallback(
    () => latest.current.form !== null && saved.current !== null && JSON.stringify(entered()) !== saved.current,
    [entered],
  )
  /** Nothing is unsaved as of now. */
  const settle = useCallback(() => {
    clearTimeout(timer.current)
    saved.current = JSON.stringify(entered())
  }, [entered])

  const store = useCallback(() => {
    clearTimeout(timer.current)
    if (name === null) return
    const { offered, opened } = latest.current
    const now = { at: new Date(deviceNow()).toISOString(), came: came.current, opened }
    writeDraft(name, isChanged() ? { ...now, ...entered() } : offered)
  }, [name, isChanged, entered])

  const touched = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(store, TYPING_MS)
  }, [store])

  // Some fields show something else once the page is hydrated: moments, in the reader's time zone.
  const begin = useEffectEvent(() => {
    const first = entered(cameWith)
    saved.current = JSON.stringify(first)
    came.current = first.values
    if (name !== null && !offered) writeDraft(name, null)
    if (isChanged()) touched()
  })
  useEffect(() => {
    if (hydrated) begin()
  }, [hydrated])

  useEffect(() => {
    if (owner === null) return
    const isDraft = name !== null
    const onHidden = () => document.visibilityState === 'hidden' && isChanged() && store()
    const end = guardForm({ isChanged, isDraft, settle })
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      end()
      document.removeEventListener('visibilitychange', onHidden)
      if (isChanged()) store()
    }
  }, [owner, name, isChanged, settle, store])

  const written = JSON.stringify(Object.values(parts).map(({ value }) => value))
  const before = useRef(written)
  useEffect(() => {
    if (before.current !== written) touched()
    before.current = written
  }, [written, touched])

  function restore() {
    const draft = offered!
    setOffered(null)
    if (draft.opened) opened?.put(draft.opened)
    flushSync(() => {
      for (const [part, value] of Object.entries(draft.parts)) latest.current.parts[part]?.put(value)
    })
    for (let pass = 0; pass < MOST_PASSES; pass++) if (!enterAll(draft)) break
  }
  function enterAll({ values, came }: Draft): boolean {
    let changed = false
    flushSync(() => {
      changed = form.current !== null && enterValues(form.current, values, came)
    })
    return changed
  }

  function discard() {
    setOffered(null)
    if (name !== null) writeDraft(name, null)
  }

  /** The form was saved. */
  function finish() {
    settle()
    discard()
  }

  return { offered, restore, discard, touched, settle, finish }
}
