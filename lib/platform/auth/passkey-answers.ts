import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import type { Passkey } from '../../../generated/prisma/client.ts'
import { env } from '../../core/env.ts'
import { passkeyRefused } from './passkey-challenge.ts'

/** The domain that members' passkeys are bound to. */
export const RP_ID = new URL(env.ORIGIN).hostname

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812), which authenticators have. */
export const ALGORITHMS = [-8, -7, -257]

/** Loaded when a passkey is used: it takes 27 MB of memory, which most processes never need. */
export const webAuthn = () => import('@simplewebauthn/server')

/** The expectations of both kinds of answer. User verification: the device asked for a finger, a face or a PIN. */
const expected = (challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: env.ORIGIN,
  expectedRPID: RP_ID,
  requireUserVerification: true,
})

const bytes = z.base64url().max(16_384)
const credential = {
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
}
const registration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(50)).max(10).optional(),
  }),
})
const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.optional(),
  }),
})

/** The answer of a browser that signs in. Throws `passkey_refused` for anything else. */
export function readAssertion(answer: unknown): AuthenticationResponseJSON {
  const read = assertion.safeParse(answer)
  if (!read.success) throw passkeyRefused()
  return read.data
}

/**
 * Checks challenge, origin, domain, user verification, counter and signature of a sign-in, and that it names the
 * passkey's own person. Throws `passkey_refused`.
 */
export async function verifyAssertion(answer: AuthenticationResponseJSON, challenge: string, passkey: Passkey) {
  const { userHandle } = answer.response
  if (userHandle !== undefined && userHandle !== userHandleOf(passkey.userId)) throw passkeyRefused()
  const known = {
    id: passkey.credentialId,
    publicKey: new Uint8Array(passkey.publicKey),
    counter: Number(passkey.counter),
  }
  const { verifyAuthenticationResponse } = await webAuthn()
  const verified = await verifyAuthenticationResponse({
    ...expected(challenge),
    response: answer,
    credential: known,
  }).catch((error: unknown) => {
    throw passkeyRefused(error)
  })
  if (!verified.verified) throw passkeyRefused()
  const { newCounter, credentialBackedUp } = verified.authenticationInfo
  return { counter: BigInt(newCounter), backedUp: credentialBackedUp }
}

/** Checks challenge, origin, domain and user verification of a new passkey. Throws `passkey_refused`. */
export async function verifyRegistration(answer: unknown, challenge: string) {
  const read = registration.safeParse(answer)
  if (!read.success) throw passkeyRefused()
  const { verifyRegistrationResponse } = await webAuthn()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    ...expected(challenge),
    supportedAlgorithmIDs: ALGORITHMS,
    response: read.data,
  }).catch((error: unknown) => {
    throw passkeyRefused(error)
  })
  if (!verified) throw passkeyRefused()
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  return {
    credentialId: id,
    publicKey: new Uint8Array(publicKey),
    counter: BigInt(counter),
    transports,
    backedUp: registrationInfo.credentialBackedUp,
  }
}

/** How an authenticator knows the person. */
export const userHandleBytes = (userId: string) => new Uint8Array(Buffer.from(userId))
const userHandleOf = (userId: string): string => Buffer.from(userId).toString('base64url')
