'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { KeyRound } from 'lucide-react'
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import type { ActionFailure } from '@/lib/platform/api/form-action'
import { Alert } from '@/components/ui/alert'
import { Button, type ButtonVariant } from '@/components/ui/button'
import { useFailureTexts } from '../forms/failure-texts'
import { NO_RESPONSE } from '../forms/no-response'
import { useAuthenticator } from './ask-authenticator'

type Props = {
  begin: () => Promise<{ ok: true; options: PublicKeyCredentialRequestOptionsJSON } | ActionFailure>
  finish: (returnTo: string, answer: unknown) => Promise<{ ok: true; path: string } | ActionFailure>
  returnTo?: string
  variant?: ButtonVariant
}

/** Signs in with a passkey of this device and opens the dashboard. */
export function PasskeySignIn({ begin, finish, returnTo = '/dashboard', variant = 'secondary' }: Props) {
  const t = useTranslations('dashboard.passkeys')
  const askAuthenticator = useAuthenticator()
  const { inWords } = useFailureTexts()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function signIn() {
    const begun = await begin()
    if (!begun.ok) return begun
    const asked = await askAuthenticator(({ startAuthentication }) =>
      startAuthentication({ optionsJSON: begun.options }),
    )
    return asked.ok ? finish(returnTo, asked.answer) : asked
  }

  async function run() {
    setBusy(true)
    setProblem(null)
    const result = await signIn().catch(() => NO_RESPONSE)
    // The page is loaded anew, since what was rendered before was another session's.
    if (result.ok) return location.assign(result.path)
    setBusy(false)
    setProblem(inWords(result).message)
  }

  return (
    <div className="grid gap-3">
      <Button
        size="lg"
        variant={variant}
        busy={busy}
        icon={<KeyRound aria-hidden="true" className="size-4.5" />}
        onClick={() => void run()}
      >
        {t('signIn')}
      </Button>
      {problem && (
        <Alert tone="danger" live>
          {problem}
        </Alert>
      )}
    </div>
  )
}
