'use client'

import { useTranslations } from 'next-intl'
import type * as Webauthn from '@simplewebauthn/browser'
import type { ActionFailure } from '@/lib/platform/api/form-action'

/** The errors of a browser that gives no passkey (Web Authentication Level 3, 5.1) which are explained. */
const REASONS = ['NotAllowedError', 'InvalidStateError', 'SecurityError'] as const

type AuthenticatorAnswer<T> = { ok: true; answer: T } | ActionFailure

/** Runs what the browser does with a passkey. A refusal is returned as a sentence. */
export function useAuthenticator(): <T>(
  run: (webauthn: typeof Webauthn) => Promise<T>,
) => Promise<AuthenticatorAnswer<T>> {
  const t = useTranslations('dashboard.passkeys.failures')
  const failure = (message: string): ActionFailure => ({
    ok: false,
    code: 'passkey_refused',
    message,
    fields: {},
    others: [],
  })
  return async (run) => {
    try {
      const webauthn = await import('@simplewebauthn/browser')
      if (!webauthn.browserSupportsWebAuthn()) return failure(t('unsupported'))
      return { ok: true, answer: await run(webauthn) }
    } catch (error) {
      const name = error instanceof Error ? error.name : ''
      return failure(t(REASONS.find((reason) => reason === name) ?? 'other'))
    }
  }
}
