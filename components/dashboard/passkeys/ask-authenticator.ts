import type * as Webauthn from '@simplewebauthn/browser'
import type { ActionFailure } from '@/lib/platform/api/form-action'

const failure = (message: string): ActionFailure => ({
  ok: false,
  code: 'passkey_refused',
  message,
  fields: {},
  others: [],
})

/** Sentences for what a browser answers instead of a passkey (Web Authentication Level 3, 5.1). */
const REASONS: Record<string, string> = {
  NotAllowedError: 'No passkey was used: the dialog was closed, or its time was over.',
  InvalidStateError: 'This device has one of your passkeys already.',
  SecurityError: 'Passkeys don’t work at this address.',
}

/** Runs what the browser does with a passkey. A refusal is returned as a sentence. */
export async function askAuthenticator<T>(
  run: (webauthn: typeof Webauthn) => Promise<T>,
): Promise<{ ok: true; answer: T } | ActionFailure> {
  try {
    const webauthn = await import('@simplewebauthn/browser')
    if (!webauthn.browserSupportsWebAuthn()) return failure('This browser has no passkeys.')
    return { ok: true, answer: await run(webauthn) }
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    return failure(REASONS[name] ?? 'That did not work. Please try again.')
  }
}
