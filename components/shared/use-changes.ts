'use client'

import { useEffect } from 'react'
import { Problem } from '@/packages/client/src/call'

/** Asks for the version of what a page shows; with `after` it waits for another one. */
export type AskVersion = (
  query: { after: string | null; wait: number },
  signal: AbortSignal,
) => Promise<{ version: string }>

const WAIT_SECONDS = 25
/** Between two questions, however fast the answers are. */
const PACE_MS = 500
/** How often the page reads where it can't wait, because too many do or nothing answers. */
const RETRY_MS = 5_000

/**
 * Reads again soon after something has changed of what the page shows, with one long request while the page is seen.
 * `ask` null: nothing changes any more. `id` says what is shown.
 */
export function useChanges(id: string, ask: AskVersion | null, read: () => Promise<unknown>): void {
  const isAsked = ask !== null
  useEffect(() => {
    if (!ask) return
    const stop = new AbortController()
    void watch(ask, read, stop.signal)
    return () => stop.abort()
    // The functions differ only in what `id` says.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [id, isAsked])
}

async function watch(ask: AskVersion, read: () => Promise<unknown>, stopped: AbortSignal): Promise<void> {
  let after: string | null = null
  while (!stopped.aborted) {
    await untilSeen(stopped)
    const asking = new AbortController()
    const end = () => asking.abort()
    // A browser opens few connections to a server, so a page that nobody sees keeps none.
    const endWhenHidden = () => document.visibilityState === 'hidden' && end()
    document.addEventListener('visibilitychange', endWhenHidden)
    stopped.addEventListener('abort', end)
    try {
      after = (await ask({ after, wait: WAIT_SECONDS }, asking.signal)).version
      // Also where it is the same: what only the clock changes has no version.
      await read()
      await pause(PACE_MS, stopped)
    } catch (failure) {
      if (asking.signal.aborted) continue
      // The subject was hidden or deleted. Reading it tells the page.
      if (failure instanceof Problem && failure.status === 404) await read()
      if (await pause(RETRY_MS * (1 + Math.random()), stopped)) await read()
    } finally {
      document.removeEventListener('visibilitychange', endWhenHidden)
      stopped.removeEventListener('abort', end)
    }
  }
}

const untilSeen = (stopped: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const check = () => {
      if (document.visibilityState === 'hidden' && !stopped.aborted) return
      document.removeEventListener('visibilitychange', check)
      stopped.removeEventListener('abort', check)
      resolve()
    }
    document.addEventListener('visibilitychange', check)
    stopped.addEventListener('abort', check)
    check()
  })

/** True once the time has passed; false at once where the page is left before. */
const pause = (ms: number, stopped: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stopped.removeEventListener('abort', end)
      resolve(!stopped.aborted)
    }
    const timer = setTimeout(end, ms)
    stopped.addEventListener('abort', end)
  })
