import type { FormAction } from '@/lib/platform/api/form-action'

/** The actions that change the member's saved views. */
export type ViewActions = {
  save: FormAction
  rename: (id: string, ...rest: Parameters<FormAction>) => ReturnType<FormAction>
  remove: (id: string) => ReturnType<FormAction>
}
