import { z } from 'zod'
import { safeString } from '../../core/wire.ts'

/** So many views a member can save of one list. */
export const MOST_VIEWS = 30

const name = safeString.trim().min(1, 'Give the view a name.').max(60)

/**
 * Filters of a list of the dashboard under a name. `list`: the list's path below /dashboard. `query`: its query string.
 */
export const newView = z.strictObject({
  list: z.string().regex(/^[a-z-]{1,40}$/),
  name,
  query: safeString.min(1).max(2_000),
})
export const viewName = z.strictObject({ name })

export type SavedView = { id: string; list: string; name: string; query: string }
