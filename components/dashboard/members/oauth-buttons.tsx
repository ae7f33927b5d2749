'use client'

import { useState } from 'react'
import { signIn } from 'next-auth/react'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'

/** Sign-in buttons of the providers that are configured. */
export function OauthButtons({
  providers,
  returnTo = '/dashboard',
}: {
  providers: { id: string; name: string }[]
  returnTo?: string
}) {
  const t = useTranslations('dashboard.signIn')
  const [busy, setBusy] = useState<string | null>(null)
  return (
    <div className="mt-5 grid gap-2 border-t pt-5">
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          busy={busy === id}
          onClick={() => {
            setBusy(id)
            signIn(id, { callbackUrl: returnTo }).catch(() => setBusy(null))
          }}
        >
          {t('continueWith', { provider: name })}
        </Button>
      ))}
    </div>
  )
}
