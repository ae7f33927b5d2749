import { z } from 'zod'
import { CHAIN_SETTINGS } from './chain-settings.ts'
import { count, flag, list } from './env-values.ts'
import { DEFAULT_LOCALE, LOCALES } from './locales.ts'
import { RETENTION_SETTINGS } from './retention-settings.ts'

/** Every setting of Vitrine. `.env.example` is generated from this table. Only lib/core/env.ts reads them. */
export const envSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development').describe('Set by the start commands.'),
  PORT: z.coerce.number().int().default(3000).describe('The port the web process listens on.'),
  HOST: z.string().default('127.0.0.1').describe('The address the web process listens on.'),
  ORIGIN: z
    .url()
    .default('http://localhost:3000')
    .describe('The public URL of this installation, without a trailing slash.'),
  CLAIM_ORIGIN: z
    .url()
    .or(z.literal(''))
    .default('')
    .describe(
      'A URL apart from the dashboard’s for claim, wallet and checkout pages, such as https://gifts.example.com. ' +
        'Its host must be PASSKEY_RP_ID or lie under it. Empty: they are at ORIGIN.',
    ),
  HEALTH_KEY: z
    .string()
    .default('')
    .describe(
      'At least 32 characters. <ORIGIN>/health/status tells of chains, ' +
        'workers and operators to who sends it as a bearer token. Empty: that page doesn’t exist.',
    ),
  WORKER_HEALTH_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65535)
    .or(z.literal(''))
    .default('')
    .describe('The port where the worker answers /health/live and /health/ready. Empty: none.'),
  WORKER_HEALTH_HOST: z.string().default('127.0.0.1').describe('The address of that port.'),
  PUBLIC_API_HOST: z.string().default('').describe('A host dedicated to the public operations: https://<host>/v1/...'),
  ADMIN_API_HOST: z
    .string()
    .default('')
    .describe('A host dedicated to the administrative operations: https://<host>/v1/...'),
  VITRINE_SANDBOX: flag.describe('1 enables what only a sandbox may have: the embedded inbox and its pages.'),
  DATABASE_URL: z
    .string()
    .default('')
    .describe(
      'PostgreSQL, for web and worker. Its user stands for three logins that npm run migrate makes with its ' +
        'password: with shop they are shop_app, shop_system and shop_public.',
    ),
  MIGRATE_DATABASE_URL: z
    .string()
    .default('')
    .describe(
      'The same database, as the login that owns the tables and may create roles. Only for npm run migrate and what ' +
        'else an operator runs; without a pooler in between. Web and worker don’t need it.',
    ),
  DATABASE_READ_URL: z
    .string()
    .default('')
    .describe(
      'A read replica for public reads, with the user and password of DATABASE_URL. Empty: the primary is used.',
    ),
  LISTEN_DATABASE_URL: z
    .string()
    .default('')
    .describe(
      'The same database for the worker’s one connection that hears of work, where DATABASE_URL leads to a pooler: ' +
        'PostgreSQL’s own address, with the user and password of DATABASE_URL. Empty: DATABASE_URL. Behind a pooler ' +
        'the worker then looks for work four times a second.',
    ),
  DATABASE_POOL: count(6).describe('The most connections of each process per database role.'),
  KEPT_BODIES_MB: count(32).describe(
    'Memory of a web process for bodies of public answers, in megabytes. A body that is asked for twice is kept, ' +
      'and sent again while PostgreSQL says that nothing of it has changed. 0: none are kept.',
  ),
  REQUESTS_AT_ONCE: count(256).describe('The most requests that one web process works on at once. 0 = no limit.'),
  REQUESTS_WAITING: count(1024).describe(
    'The most requests that wait for their turn while REQUESTS_AT_ONCE are in work. ' +
      'A further one is refused (503 overloaded).',
  ),
  REQUEST_SECONDS: count(60).describe(
    'How long a request of an API, and each statement of the web process, may take until it is given up. ' +
      'Exports and uploads may take longer. 0 = no limit.',
  ),
  SERVER_KEY: z
    .string()
    .default('')
    .describe(
      '64 hex digits. Claim tokens, PIN hashes and the encryption at rest are derived from it. ' +
        'Without it open claims are lost. Several, comma-separated, while one is being replaced: ' +
        'the first makes everything new, all of them open what was made before (docs/keys.md).',
    ),
  NEXTAUTH_SECRET: z
    .string()
    .default('')
    .describe('Signs sign-in links. At least 32 characters. Empty: derived from SERVER_KEY.'),
  OAUTH_GOOGLE_ID: z.string().default('').describe('Sign-in with Google is offered when this and its secret are set.'),
  OAUTH_GOOGLE_SECRET: z.string().default(''),
  OAUTH_GITHUB_ID: z.string().default('').describe('Sign-in with GitHub is offered when this and its secret are set.'),
  OAUTH_GITHUB_SECRET: z.string().default(''),
  OIDC_ISSUER: z
    .url()
    .or(z.literal(''))
    .default('')
    .describe(
      'Sign-in with an OpenID Connect provider is offered when this and its client are set: the issuer’s URL, such ' +
        'as https://login.example.com/realms/shop. Its client’s redirect URI is <ORIGIN>/api/auth/callback/oidc. ' +
        'Only addresses with email_verified get in.',
    ),
  OIDC_CLIENT_ID: z.string().default(''),
  OIDC_CLIENT_SECRET: z.string().default(''),
  OIDC_NAME: z.string().default('single sign-on').describe('What its button says: Continue with <name>.'),
  OIDC_SCOPE: z
    .string()
    .default('openid email profile')
    .describe(
      'What the provider is asked for. Some give groups only when a scope names them: openid email profile groups',
    ),
  OIDC_ROLE_CLAIM: z
    .string()
    .default('')
    .describe(
      'The claim of the user information that OIDC_ROLES are read from, such as groups: a text or a list of texts.',
    ),
  OIDC_ROLES: list
    .pipe(
      z.array(
        z.string().regex(/^.+=(OWNER|ADMIN|EDITOR|VIEWER)$/, 'Entries such as vitrine-admins=ADMIN are expected.'),
      ),
    )
    .describe(
      'The role that each value of the claim gives in the organizations whose owners chose to follow it, ' +
        'comma-separated: vitrine-admins=ADMIN,vitrine-editors=EDITOR. Of several the highest counts; ' +
        'without any a member becomes a viewer. Empty: roles are not taken from the provider.',
    ),
  SIGN_UP: z
    .enum(['closed', 'open'])
    .default('closed')
    .describe(
      'closed: people come in by invitation. open: anybody may make an organization at /sign-in, ' +
        'on test networks and with the quotas below until it is approved (npm run admin -- approve <id>).',
    ),
  NEWCOMER_MAILS_PER_DAY: count(50).describe(
    'Claims, invitations and test mails that an organization may mail in 24 hours until it is approved.',
  ),
  NEWCOMER_GAS_GWEI: z
    .string()
    .regex(/^\d+$/)
    .default('50000000')
    .describe('Like GAS_BUDGET_GWEI, for an organization until it is approved. 0: it sends nothing.'),
  SIGN_UPS_PER_MAILBOX: count(2).describe('Organizations of one mailbox that may wait for approval at once.'),
  SIGN_UPS_PER_CLIENT: count(10).describe(
    'Mails to people who are no members that one client may cause in 24 hours with SIGN_UP=open, ' +
      'and organizations that it may make.',
  ),
  PASSKEY_RP_ID: z
    .string()
    .default('')
    .describe(
      'The domain recipients’ passkeys are bound to. Fixed at installation: ' +
        'changing it locks recipients out (docs/passkeys.md). Empty: the host of ORIGIN.',
    ),
  PASSKEY_ORIGINS: list.describe(
    'Origins on other domains whose pages may use the passkeys of PASSKEY_RP_ID, ' +
      'comma-separated, such as https://new.example.com after a move. ' +
      'At the host PASSKEY_RP_ID this installation must answer /.well-known/webauthn, which names them.',
  ),
  TRUSTED_PROXIES: list.describe(
    'Addresses or ranges of reverse proxies whose X-Forwarded-For is trusted, comma-separated.',
  ),
  ...CHAIN_SETTINGS,
  SMTP_URL: z.string().default('').describe('The mail server that sends mail: smtp://user:password@host:587'),
  MAIL_FROM: z.string().default('Vitrine <hello@vitrine.localhost>').describe('Sender of all mail.'),
  OPERATOR_EMAIL: z
    .email()
    .or(z.literal(''))
    .default('')
    .describe(
      'Gets a mail when an alarm has been open for a minute, and when it has been over for as long; one that ' +
        'is over sooner is told to nobody. It gets those of the installation and those of every organization. ' +
        'Empty: only the owners of an organization get mail, about its own alarms.',
    ),
  OPERATOR_LOCALE: z.enum(LOCALES).default(DEFAULT_LOCALE).describe('The language of mails to OPERATOR_EMAIL.'),
  OPERATOR_WEBHOOK_URL: z
    .string()
    .default('')
    .describe(
      'Gets the events alarm.opened and alarm.resolved of all alarms that are open for a minute (docs/webhooks.md). ' +
        'https, or in a range of EGRESS_ALLOW.',
    ),
  OPERATOR_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'It must be whsec_ and at least 24 bytes in base64.')
    .or(z.literal(''))
    .default('')
    .describe('Signs what is posted to OPERATOR_WEBHOOK_URL: whsec_ and at least 24 random bytes in base64.'),
  DEV_MAIL_DIR: z.string().default('').describe('Folder of the embedded inbox. Set by npm run up.'),
  MEDIA_DIR: z.string().default('.data/media').describe('The folder of stored images.'),
  S3_BUCKET: z.string().default('').describe('Store media in this bucket instead of MEDIA_DIR.'),
  S3_REGION: z.string().default('us-east-1').describe('Region of the bucket.'),
  S3_ENDPOINT: z.string().default('').describe('URL of an S3-compatible server. Empty: Amazon’s.'),
  S3_ACCESS_KEY_ID: z.string().default('').describe('Key of the bucket. Empty: the AWS SDK’s default credentials.'),
  S3_SECRET_ACCESS_KEY: z.string().default(''),
  PINNING_KUBO_URL: z
    .string()
    .default('')
    .describe('RPC URL of a Kubo node that pins uploaded media, such as http://127.0.0.1:5001'),
  PINNING_PINATA_JWT: z.string().default('').describe('Pins uploaded media at Pinata.'),
  PINNING_PINATA_URL: z.string().default('https://uploads.pinata.cloud').describe('Pinata’s upload server.'),
  IPFS_GATEWAY: z
    .string()
    .default('')
    .describe(
      'The gateway that ipfs:// metadata and images of external contracts are read from, such as https://ipfs.io. ' +
        'Empty: they are not read.',
    ),
  MAILGUN_API_BASE: z
    .string()
    .default('')
    .describe('Replaces Mailgun’s server, for tests. Empty: https://api.mailgun.net or https://api.eu.mailgun.net.'),
  EGRESS_ALLOW: list.describe(
    'Private address ranges that image URLs, webhooks and custom mail servers may be in, comma-separated. ' +
      'None by default; a sandbox always reaches its own 127.0.0.1.',
  ),
  PLATFORM_FEE_BPS: count(0).describe('Platform fee in basis points of a sale.'),
  PLATFORM_FEE_ADDRESS: z.string().default('').describe('The address that receives the platform fee of crypto sales.'),
  STRIPE_SECRET_KEY: z
    .string()
    .default('')
    .describe(
      'The platform’s secret key at Stripe. A test key serves listings on testnets, a live key all others. ' +
        'Empty: only the built-in card provider, which is for tests.',
    ),
  STRIPE_PUBLISHABLE_KEY: z.string().default('').describe('The publishable key that goes with it.'),
  STRIPE_WEBHOOK_SECRET: list.describe(
    'Signing secret of the Connect webhook at <ORIGIN>/webhooks/cards/stripe (events payment_intent.*, ' +
      'charge.refunded, charge.dispute.*, refund.*, account.updated, account.application.deauthorized). ' +
      'Two, comma-separated, while one is being replaced.',
  ),
  STRIPE_API_BASE: z.string().default('').describe('Replaces Stripe’s server, for tests: http://localhost:12111'),
  RATE_LIMIT_PUBLIC_READS: count(600).describe('Per minute and client address, of IPv6 its /64. 0 = off.'),
  RATE_LIMIT_PUBLIC_WRITES: count(60).describe('Per minute and client address. 0 = off.'),
  RATE_LIMIT_CARD_WEBHOOKS: count(6000).describe(
    'Events of card providers, per minute and client address, counted before their signature is checked. 0 = off.',
  ),
  RATE_LIMIT_ADMIN_FAILURES: count(60).describe(
    'Requests to administrative operations without a valid key or session, per minute and client address. 0 = off.',
  ),
  RATE_LIMIT_ADMIN: count(1200).describe('Per minute and API key. 0 = off.'),
  SIGN_IN_MAILS: count(5).describe('Sign-in mails to one mailbox within an hour. 0 = no limit.'),
  OPEN_INTENTS_PER_BUYER: count(3).describe(
    'Open unpaid purchases that one buyer may have with an organization, as far as one client made them. 0 = no limit.',
  ),
  OPEN_INTENTS_PER_CLIENT: count(10).describe(
    'Open unpaid purchases that one client may have of a listing: an IPv4 address, or the /64 of an IPv6 one. ' +
      'It may make as many in an hour before a proof of work is asked. ' +
      '0 = no limit, and proofs only for listings that require them.',
  ),
  ELIGIBILITY_EMAILS_PER_HOUR: count(20).describe(
    'Different emails that one client may ask about in an hour at /public/v1/listings/redemption-eligibility. 0 = off.',
  ),
  UNOPENED_CLAIM_HOURS: count(72).describe(
    'Hours after which an unopened free claim from a listing is returned to it. 0 = only when it expires.',
  ),
  PROOF_OF_WORK: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'auto: required for listings that require it; and, except for a client’s first purchase, ' +
        'while more than half of a listing is in unpaid purchases and unopened claims, ' +
        'or of a client that makes more purchases in an hour than OPEN_INTENTS_PER_CLIENT.',
    ),
  HEAP_GROWTH_PERCENT: count(15).describe(
    'How much more memory than is in use the web process takes before it frees what is not. ' +
      'More of it spares work and costs memory. 0 = as Node decides.',
  ),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  ACCESS_LOG: flag.describe(
    '1 logs a line for each request of the web process, at the level info: method, path without secrets, status, ' +
      'milliseconds, bytes, request id and organization.',
  ),
  CRASH_AT: z.string().default('').describe('For fault tests: the crash point at which this process kills itself.'),
  STOP_AT: z
    .string()
    .default('')
    .describe(
      'For fault tests: the crash points at which this process stops until it is continued, ' +
        'one after the other, separated by commas.',
    ),
  ...RETENTION_SETTINGS,
})
export type Env = z.output<typeof envSchema>
