import type { CardMode, Cards } from './cards/cards.ts'
import { sandboxCards } from './cards/sandbox.ts'
import { type StripeSettings, stripeCards } from './cards/stripe.ts'
import type { Chain, Network } from './chain/chain.ts'
import { envKeyring } from './chain/env-keyring.ts'
import type { Keyring } from './chain/keys.ts'
import { ETHEREUM, networksFromEnv } from './chain/networks.ts'
import { viemChain } from './chain/viem-chain.ts'
import { env } from '../core/env.ts'
import type { Env } from '../core/env-schema.ts'
import { voucherKeys } from '../core/server-keys.ts'
import type { Dns } from './dns/dns.ts'
import { systemDns } from './dns/system-dns.ts'
import type { Poster } from './egress/egress.ts'
import { guardedPoster } from './egress/guarded-poster.ts'
import type { BotCheck } from './bot-check/bot-check.ts'
import { proofOfWork } from './bot-check/proof-of-work.ts'
import { ensNames } from './names/ens-names.ts'
import type { Names } from './names/names.ts'
import { integrationMail } from './mail/integration-mail.ts'
import type { Mail, MailSettings, PostedMailEvent } from './mail/mail.ts'
import { readMailgunEvent } from './mail/mailgun-event.ts'
import { smtpMail } from './mail/smtp.ts'
import { allSandboxKeys } from './sandbox-cards/keys.ts'
import { handleSandboxRequest } from './sandbox-cards/provider.ts'
import { diskStorage } from './storage/disk.ts'
import { guardedFetcher } from './storage/guarded-fetcher.ts'
import { kuboPinning } from './storage/kubo.ts'
import { pinataPinning } from './storage/pinata.ts'
import { s3Storage } from './storage/s3.ts'
import type { Fetcher, Pinning, Storage } from './storage/storage.ts'

/** Everything outside the process that a verb may use. Each port's types document its methods. */
export type Ports = {
  /** Networks that have an RPC URL, by id. */
  chains: ReadonlyMap<number, Chain>
  keys: Keyring
  mail: Mail
  /** Mail by an organization's own email integration. */
  integrationMail: (settings: MailSettings) => Mail
  /** Reads an event that a mail provider posts, signed with this key. */
  readMailEvent: (body: unknown, key: string) => PostedMailEvent
  cards: CardProviders
  botCheck: BotCheck
  storage: Storage
  /** null: uploaded files are not pinned on IPFS. */
  pinning: Pinning | null
  fetcher: Fetcher
  /** Posts to webhooks. */
  poster: Poster
  dns: Dns
  /** null: without a node of Ethereum no name can be looked up. */
  names: Names | null
  /** Base URLs of this installation for people and programs, without trailing slashes. */
  /** `recipients`: the origin of claim, wallet and checkout pages. */
  addresses: { origin: string; recipients: string; publicBase: string; adminBase: string }
}

/**
 * Difficulty of a client's first proof of work: half a second on a phone. Its tenth takes over a minute of a desktop's
 * core (docs/decisions/0009).
 */
const FIRST_PROOF_BITS = 17

/**
 * `inUse`: the provider of each mode for new accounts. `known`: all providers whose existing accounts we can act for.
 */
export type CardProviders = { inUse: Record<CardMode, Cards | null>; known: readonly Cards[] }

/** In the sandbox, receivers and mail servers of this machine are reached without a setting. */
const SANDBOX_EGRESS = ['127.0.0.1/32', '::1/128']

/** The private ranges that addresses given by organizations may be in. */
export const egressOf = (settings: Pick<Env, 'VITRINE_SANDBOX' | 'EGRESS_ALLOW'>): string[] =>
  settings.VITRINE_SANDBOX ? [...SANDBOX_EGRESS, ...settings.EGRESS_ALLOW] : settings.EGRESS_ALLOW

let made: Ports | undefined

/** The adapters that the settings select, created once per process. */
export const ports = (): Ports => (made ??= makePorts())

function makePorts(): Ports {
  const allow = egressOf(env)
  const networks = networksFromEnv(env.RPC_URLS, env.CONTRACTS, env.FINAL_BY_DEPTH)
  const chains = new Map(networks.map(({ network, rpcUrls }) => [network.id, viemChain(network, rpcUrls)]))
  const fetcher = guardedFetcher(allow)
  const ethereum = chains.get(ETHEREUM)
  return {
    chains,
    keys: envKeyring(env.OPERATOR_KEYS, voucherKeys),
    mail: smtpMail(env.SMTP_URL),
    integrationMail: (settings) => integrationMail(settings, { allow, mailgunBase: env.MAILGUN_API_BASE }),
    readMailEvent: readMailgunEvent,
    cards: cardProviders(),
    botCheck: proofOfWork(FIRST_PROOF_BITS),
    storage: storageOf(env),
    pinning: pinning(),
    fetcher,
    poster: guardedPoster(allow),
    dns: systemDns(),
    names: ethereum ? ensNames(ethereum, fetcher) : null,
    addresses: {
      origin: env.ORIGIN,
      recipients: env.CLAIM_ORIGIN || env.ORIGIN,
      publicBase: `${env.ORIGIN}/public`,
      adminBase: env.ORIGIN,
    },
  }
}

/** A bucket when S3_BUCKET is set, else a folder. */
export const storageOf = (settings: Env): Storage =>
  settings.S3_BUCKET
    ? s3Storage({
        bucket: settings.S3_BUCKET,
        region: settings.S3_REGION,
        endpoint: settings.S3_ENDPOINT,
        accessKeyId: settings.S3_ACCESS_KEY_ID,
        secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
      })
    : diskStorage(settings.MEDIA_DIR)

/** The operator's own Kubo node when set, else Pinata. */
const pinning = (): Pinning | null =>
  env.PINNING_KUBO_URL
    ? kuboPinning(env.PINNING_KUBO_URL)
    : env.PINNING_PINATA_JWT
      ? pinataPinning({ jwt: env.PINNING_PINATA_JWT, url: env.PINNING_PINATA_URL })
      : null

/** Stripe for the mode of its secret key. The sandbox's provider for TEST, unless Stripe's key is a test key. */
function cardProviders(): CardProviders {
  const [keys, ...earlierKeys] = allSandboxKeys()
  const sandbox = sandboxCards({ keys: keys!, earlierKeys, handle: (request) => handleSandboxRequest(request) })
  if (!env.STRIPE_SECRET_KEY) return { inUse: { TEST: sandbox, LIVE: null }, known: [sandbox] }
  const stripe = stripeCards(stripeSettingsOf(env))
  const inUse = stripe.mode === 'LIVE' ? { TEST: sandbox, LIVE: stripe } : { TEST: stripe, LIVE: null }
  return { inUse, known: [stripe, sandbox] }
}

export const stripeSettingsOf = (settings: Env): StripeSettings => ({
  secretKey: settings.STRIPE_SECRET_KEY,
  publishableKey: settings.STRIPE_PUBLISHABLE_KEY,
  webhookSecrets: settings.STRIPE_WEBHOOK_SECRET,
  baseUrl: settings.STRIPE_API_BASE,
})

/** A keyring with the signers of one voucher key and without operators. */
export const signersOf = (voucherKey: Uint8Array): Keyring => envKeyring([], voucherKey)

/** Replaces some adapters, for tests. */
export function replacePorts(some: Partial<Ports>): void {
  made = { ...ports(), ...some }
}

export const networksOf = (all: Ports): Network[] =>
  [...all.chains.values()].map((chain) => chain.network).sort((a, b) => a.id - b.id)
