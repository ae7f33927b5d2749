'use client'

import { useTranslations } from 'next-intl'
import { LogOut } from 'lucide-react'
import { forgetDrafts } from '../forms/drafts'
import { mayEndSession } from '../forms/unsaved'

/** Signs out. Drafts don't stay in the browser for whoever sits there next. */
export function SignOut({ action }: { action: () => Promise<void> }) {
  const t = useTranslations('dashboard.shell')
  return (
    <form
      action={action}
      onSubmit={(event) => {
        const form = event.currentTarget
        if (mayEndSession(() => form.requestSubmit())) forgetDrafts()
        else event.preventDefault()
      }}
    >
      <button
        type="submit"
        aria-label={t('signOut')}
        title={t('signOut')}
        className="grid size-9 place-items-center rounded-md text-muted transition-colors hover:bg-well hover:text-ink"
      >
        <LogOut aria-hidden="true" className="size-4.5" />
      </button>
    </form>
  )
}
