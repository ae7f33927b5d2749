import { randomBytes } from 'node:crypto'
import { hmac, sameBytes } from '../../core/secrets.ts'

/** The provider's keys of this installation. They are derived, so that every process knows them and no two installations share them. */
const derived = (name: string) => hmac('sandbox-cards', name).toString('base64url').replace(/[-_]/g, '').slice(0, 32)

export const sandboxKeys = () => ({
  secretKey: `sk_test_sandbox${derived('secret key')}`,
  publishableKey: `pk_test_sandbox${derived('publishable key')}`,
  webhookSecret: `whsec_${derived('webhook secret')}`,
})

/** What opens one page of the provider for the person it was made for. */
export const pageToken = (page: 'onboarding' | 'authenticate', id: string): string =>
  hmac('sandbox-cards', page, id).toString('base64url').slice(0, 32)

export const isPageToken = (page: 'onboarding' | 'authenticate', id: string, token: string): boolean =>
  sameBytes(Buffer.from(token), Buffer.from(pageToken(page, id)))

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** An id as the provider makes them: pi_3QxY… */
export const sandboxId = (prefix: string, length = 24): string =>
  `${prefix}_${[...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`

/** The id that belongs to an idempotency key: the same key makes the same thing. */
export const idOfKey = (prefix: string, key: string): string =>
  `${prefix}_${hmac('sandbox-cards', prefix, key).toString('hex').slice(0, 24)}`
