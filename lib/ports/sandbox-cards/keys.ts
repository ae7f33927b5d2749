import { randomBytes } from 'node:crypto'
import { hmac, sameBytes } from '../../core/secrets.ts'

/** A key derived from SERVER_KEY: the same in every process of this installation, different from every other installation's. */
const derived = (name: string) => hmac('sandbox-cards', name).toString('base64url').replace(/[-_]/g, '').slice(0, 32)

export const sandboxKeys = () => ({
  secretKey: `sk_test_sandbox${derived('secret key')}`,
  publishableKey: `pk_test_sandbox${derived('publishable key')}`,
  webhookSecret: `whsec_${derived('webhook secret')}`,
})

/** The token in the link of one of the provider's pages. */
export const pageToken = (page: 'onboarding' | 'authenticate', id: string): string =>
  hmac('sandbox-cards', page, id).toString('base64url').slice(0, 32)

export const isPageToken = (page: 'onboarding' | 'authenticate', id: string, token: string): boolean =>
  sameBytes(Buffer.from(token), Buffer.from(pageToken(page, id)))

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A random id in Stripe's form: pi_3QxY… */
export const sandboxId = (prefix: string, length = 24): string =>
  `${prefix}_${[...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`

/** The id derived from an idempotency key, so that the same key gives the same object. */
export const idOfKey = (prefix: string, key: string): string =>
  `${prefix}_${hmac('sandbox-cards', prefix, key).toString('hex').slice(0, 24)}`
