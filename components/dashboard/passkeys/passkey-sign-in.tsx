'use client'

import { useState } from 'react'
import { KeyRound } from 'lucide-react'
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import type { ActionFailure } from '@/lib/platform/api/form-action'
import { Alert } from '@/components/ui/alert'
import { Button, type ButtonVariant } from '@/components/ui/button'
import { askAuthenticator } from './ask-authenticator'

type Props = {
  begin: () => Promise<{ ok: true; options: PublicKeyCredentialRequestOptionsJSON } | ActionFailure>
  finish: (returnTo: string, answer: unknown) => Promise<{ ok: true; path: string } | ActionFailure>
  returnTo?: string
  variant?: ButtonVariant
}

/** Signs in with a passkey of this device and opens the dashboard. */
export function PasskeySignIn({ begin, finish, returnTo = '/dashboard', variant = 'secondary' }: Props) {
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
    const result = await signIn().catch(() => ({ ok: false as const, message: 'That did not work. Please try again.' }))
    if (result.ok) return location.assign(result.path) // a new load, since what was rendered before was another session's
    setBusy(false)
    setProblem(result.message)
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
        Sign in with a passkey
      </Button>
      {problem && (
        <Alert tone="danger" live>
          {problem}
        </Alert>
      )}
    </div>
  )
}
