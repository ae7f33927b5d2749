'use client'

import { useEffect, useRef } from 'react'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import type { FormAction } from '@/lib/platform/api/form-action'
import { ActionForm, FormField, Submit } from '../forms/action-form'

/** Makes the first organization with the token of a setup link, which stands behind the link's #. */
export function SetupForm({ action }: { action: FormAction }) {
  const t = useTranslations('dashboard.signIn')
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
      <FormField name="name" label={t('organization.name')} hint={t('organization.nameHint')} required>
        <Input name="name" autoComplete="organization" maxLength={200} placeholder={t('organization.nameExample')} />
      </FormField>
      <FormField name="email" label={t('setup.email')} hint={t('setup.emailHint')} required>
        <Input name="email" type="email" autoComplete="email" inputMode="email" placeholder={t('emailExample')} />
      </FormField>
      <Submit size="lg">{t('setup.submit')}</Submit>
    </ActionForm>
  )
}

/**
 * Uses the owner's sign-in link, as its own page would. The button is for a browser that doesn't send the form by
 * itself.
 */
function OpenDashboard({ href }: { href: string }) {
  const t = useTranslations('dashboard.signIn')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.submit(), [])
  return (
    <form ref={form} method="post" action={href} className="grid gap-4">
      <p role="status">{t('setup.made')}</p>
      <Button type="submit" variant="primary" size="lg">
        {t('openDashboard')}
      </Button>
    </form>
  )
}
