import type { Opened } from '@/lib/platform/api/form-action'

type Budget = { daily_wei: bigint; is_usual: boolean }

/** The value of a network's daily budget that its form shows: nothing where the usual one applies. */
export const openedBudget = (budget: Budget | undefined): Opened => ({
  daily_wei: budget && !budget.is_usual ? budget.daily_wei.toString() : null,
})
