import type { FormAction } from '@/lib/platform/api/form-action'

/** What changes the member's saved views. */
export type ViewActions = {
  save: FormAction
  rename: (id: string, ...rest: Parameters<FormAction>) => ReturnType<FormAction>
  remove: (id: string) => ReturnType<FormAction>
}
