'use client'

import { useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import type { FormAction } from '@/lib/platform/api/form-action'
import { ActionForm, FormField, Submit } from '../forms/action-form'

/** Makes the first organization with the token of a setup link, which stands behind the link's #. */
export function SetupForm({ action }: { action: FormAction }) {
  const token = useRef('')
  useEffect(() => {
    const given = window.location.hash.slice(1)
    if (!given) return
    token.current = given
    history.replaceState(null, '', window.location.pathname) // it must not stay in the browser's history
  }, [])
  const send: FormAction = (state, form) => {
    form.set('token', token.current)
    return action(state, form)
  }
  return (
    <ActionForm action={send} reveal={(href) => <OpenDashboard href={href} />}>
      <FormField name="name" label="Name of the organization" hint="Recipients see it in their mail." required>
        <Input name="name" autoComplete="organization" maxLength={200} placeholder="The River Society" />
      </FormField>
      <FormField name="email" label="Your email" hint="You sign in with it from now on." required>
        <Input name="email" type="email" autoComplete="email" inputMode="email" placeholder="you@example.com" />
      </FormField>
      <Submit size="lg">Set it up</Submit>
    </ActionForm>
  )
}

/** Uses the owner's sign-in link, as its own page would. The button is for a browser that doesn't send the form by itself. */
function OpenDashboard({ href }: { href: string }) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.submit(), [])
  return (
    <form ref={form} method="post" action={href} className="grid gap-4">
      <p role="status">The organization is made. The dashboard opens…</p>
      <Button type="submit" variant="primary" size="lg">
        Open the dashboard
      </Button>
    </form>
  )
}
