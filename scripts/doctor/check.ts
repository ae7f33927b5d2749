import type { Env } from '../../lib/core/env-schema.ts'
import type { Clock } from '../../lib/core/clock.ts'

export type Verdict = 'ok' | 'warning' | 'wrong'

/** One thing that was looked at: what was found, and how to mend it (null where nothing has to be mended). */
export type Finding = { verdict: Verdict; subject: string; detail: string; remedy: string | null }

export const ok = (subject: string, detail: string): Finding => ({ verdict: 'ok', subject, detail, remedy: null })
export const warning = (subject: string, detail: string, remedy: string): Finding => ({
  verdict: 'warning',
  subject,
  detail,
  remedy,
})
export const wrong = (subject: string, detail: string, remedy: string): Finding => ({
  verdict: 'wrong',
  subject,
  detail,
  remedy,
})

/** The texts of a name's TXT records, each in one piece. Rejects with code ENOTFOUND or ENODATA when there are none. */
export type ResolveTxt = (name: string) => Promise<string[]>

/** The settings and tools of the checks. */
export type Subject = {
  settings: Env
  /** A test mail is sent here. */
  mailTo: string | null
  /** The selector of the sender's DKIM key, which DNS can't list. */
  dkimSelector: string | null
  resolveTxt: ResolveTxt
  now: Clock
  /** How long one request may take. */
  timeoutMs: number
  /** An error of somebody else's making in one line, without the secrets of the settings. */
  quote: (error: unknown) => string
}

export type Check = { name: string; run: (subject: Subject) => Promise<Finding[]> }
