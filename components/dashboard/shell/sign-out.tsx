'use client'

import { LogOut } from 'lucide-react'
import { forgetDrafts } from '../forms/drafts'
import { mayEndSession } from '../forms/unsaved'

/** Signs out. Drafts don't stay in the browser for whoever sits there next. */
export function SignOut({ action }: { action: () => Promise<void> }) {
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
        aria-label="Sign out"
        title="Sign out"
        className="grid size-9 place-items-center rounded-md text-muted transition-colors hover:bg-well hover:text-ink"
      >
        <LogOut aria-hidden="true" className="size-4.5" />
      </button>
    </form>
  )
}
