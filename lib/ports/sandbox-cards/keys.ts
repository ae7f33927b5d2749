import { randomBytes } from 'node:crypto'
import { hmac, hmacsOf, sameBytes } from '../../core/secrets.ts'

type Keys = { secretKey: string; publishableKey: string; webhookSecret: string }
const shortened = (mac: Buffer) => mac.toString('base64url').replace(/[-_]/g, '').slice(0, 32)

/**
 * Keys derived from each server key, the newest first: the same in every process of this installation, different from
 * every other installation's. The provider accepts all of them.
 */
export function allSandboxKeys(): Keys[] {
  const derived = (name: string) => hmacsOf('sandbox-cards', name).map(({ mac }) => shortened(mac))
  const [secrets, publishable, webhooks] = [
    derived('secret key'),
    derived('publishable key'),
    derived('webhook secret'),
  ]
  return secrets.map((secret, at) => ({
    secretKey: `sk_test_sandbox${secret}`,
    publishableKey: `pk_test_sandbox${publishable[at]}`,
    webhookSecret: `whsec_${webhooks[at]}`,
  }))
}

export const sandboxKeys = (): Keys => allSandboxKeys()[0]!

/** The token in the link of one of the provider's pages. */
export const pageToken = (page: 'onboarding' | 'authenticate', id: string): string =>
  hmac('sandbox-cards', page, id).toString('base64url').slice(0, 32)

export const isPageToken = (page: 'onboarding' | 'authenticate', id: string, token: string): boolean =>
  hmacsOf('sandbox-cards', page, id).some(({ mac }) =>
    sameBytes(Buffer.from(token), Buffer.from(mac.toString('base64url').slice(0, 32))),
  )

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A random id in Stripe's form: pi_3QxY… */
export const sandboxId = (prefix: string, length = 24): string =>
  `${prefix}_${[...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`

/**
 * The ids that an idempotency key gives, by each server key: the same key gives the same object. A new object has the
 * first; one that has another was made before the server key was replaced.
 */
export const idsOfKey = (prefix: string, key: string): string[] =>
  hmacsOf('sandbox-cards', prefix, key).map(({ mac }) => `${prefix}_${mac.toString('hex').slice(0, 24)}`)
