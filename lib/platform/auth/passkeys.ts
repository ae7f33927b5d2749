import type {
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { systemClient } from '../../db/client.ts'
import type { Context } from './context.ts'
import { ALGORITHMS, RP_ID, userHandleBytes, webAuthn } from './passkey-answers.ts'
import { CHALLENGE_SECONDS, openChallenge } from './passkey-challenge.ts'
import { personOf } from './person.ts'
import { signedIn } from './sessions.ts'

// Passkeys belong to a person, who may be a member of several organizations: they are read with the system client.

export type ShownPasskey = {
  id: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
  /** It is synced to the person's account at the device's maker. */
  backedUp: boolean
}

/** The passkeys of the person signed in, oldest first. */
export const listPasskeys = (ctx: Context): Promise<ShownPasskey[]> =>
  systemClient().passkey.findMany({
    where: { userId: signedIn(ctx).userId },
    orderBy: { id: 'asc' },
    select: { id: true, name: true, createdAt: true, lastUsedAt: true, backedUp: true },
  })

/** Whether the member behind a request, or behind its API key, has a passkey. */
export async function hasPasskey(ctx: Context): Promise<boolean> {
  const person = await personOf(ctx)
  if (!person) return false
  return (await systemClient().passkey.findFirst({ where: { user: { email: person.email } } })) !== null
}

/** The question to `navigator.credentials`, and the token that the browser's cookie holds until it answers. */
export type Begun<Options> = { options: Options; browser: string }

/**
 * Begins a sign-in with any passkey that the device has for this domain; somebody signed in is asked for one of their
 * own.
 */
export async function beginPasskeySignIn(ctx: Context | null): Promise<Begun<PublicKeyCredentialRequestOptionsJSON>> {
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({
    rpID: RP_ID,
    userVerification: 'required',
    timeout: CHALLENGE_SECONDS * 1000,
    ...(ctx && { allowCredentials: await credentialsOf(ctx) }),
  })
  return { options, browser: await openChallenge(options.challenge, null) }
}

/** Begins the registration of another passkey of the person signed in. A device that has one already is refused. */
export async function beginNewPasskey(ctx: Context): Promise<Begun<PublicKeyCredentialCreationOptionsJSON>> {
  const { userId, email } = signedIn(ctx)
  const { generateRegistrationOptions } = await webAuthn()
  const options = await generateRegistrationOptions({
    rpName: 'Vitrine',
    rpID: RP_ID,
    userID: userHandleBytes(userId),
    userName: email,
    userDisplayName: email,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: await credentialsOf(ctx),
    timeout: CHALLENGE_SECONDS * 1000,
  })
  return { options, browser: await openChallenge(options.challenge, userId) }
}

async function credentialsOf(ctx: Context) {
  const passkeys = await systemClient().passkey.findMany({ where: { userId: signedIn(ctx).userId } })
  return passkeys.map(({ credentialId, transports }) => ({
    id: credentialId,
    transports: transports as AuthenticatorTransport[],
  }))
}
