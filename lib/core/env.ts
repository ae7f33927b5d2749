import { z } from 'zod'

const flag = z
  .enum(['0', '1'])
  .default('0')
  .transform((value) => value === '1')
const count = (fallback: number) => z.coerce.number().int().min(0).default(fallback)
const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  )

/** Every setting of Vitrine, in one place. `.env.example` is written from this table; nothing else reads `process.env`. */
export const envSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development').describe('Set by the start commands.'),
  PORT: z.coerce.number().int().default(3000).describe('The port the web process listens on.'),
  HOST: z.string().default('127.0.0.1').describe('The address the web process listens on.'),
  ORIGIN: z
    .url()
    .default('http://localhost:3000')
    .describe('The address people reach this installation at, without a trailing slash.'),
  PUBLIC_API_HOST: z
    .string()
    .default('')
    .describe('A host of its own for the public operations: https://<host>/v1/...'),
  ADMIN_API_HOST: z
    .string()
    .default('')
    .describe('A host of its own for the administrative operations: https://<host>/v1/...'),
  VITRINE_SANDBOX: flag.describe('1 switches on what only a sandbox may have: the embedded inbox and its pages.'),
  DATABASE_URL: z
    .string()
    .default('')
    .describe(
      'PostgreSQL. Its user must be able to create roles (npm run migrate makes vitrine_app, vitrine_system and vitrine_public).',
    ),
  DATABASE_READ_URL: z
    .string()
    .default('')
    .describe('A read replica for public reads. Empty: the primary serves them.'),
  DATABASE_POOL: count(10).describe('Connections each process keeps per database role.'),
  SERVER_KEY: z
    .string()
    .default('')
    .describe(
      '64 hex digits. Everything secret is derived from it: claim tokens, PIN hashes, encryption at rest. Losing it loses open claims.',
    ),
  NEXTAUTH_SECRET: z.string().default('').describe('Signs sign-in links. Empty: derived from SERVER_KEY.'),
  OAUTH_GOOGLE_ID: z.string().default('').describe('Sign-in with Google appears when this and its secret are set.'),
  OAUTH_GOOGLE_SECRET: z.string().default(''),
  OAUTH_GITHUB_ID: z.string().default('').describe('Sign-in with GitHub appears when this and its secret are set.'),
  OAUTH_GITHUB_SECRET: z.string().default(''),
  PASSKEY_RP_ID: z
    .string()
    .default('')
    .describe(
      'The domain recipients’ passkeys are bound to. Fixed at installation: changing it locks recipients out. Empty: the host of ORIGIN.',
    ),
  TRUSTED_PROXIES: list.describe(
    'Addresses or ranges of reverse proxies whose X-Forwarded-For is believed, comma-separated.',
  ),
  RPC_URLS: z
    .string()
    .default('')
    .describe('Chains we are on: 1=https://a,https://b;137=https://c (several URLs of a network fail over).'),
  OPERATOR_KEYS: list.describe(
    'Private keys that send transactions, comma-separated. Each is one lane on every network. Tokens that one of them keeps can be given only while its key stands here.',
  ),
  VOUCHER_KEY: z
    .string()
    .default('')
    .describe(
      '64 hex digits the voucher signers are derived from, one per collection. Empty: derived from SERVER_KEY.',
    ),
  CONTRACTS: z
    .string()
    .default('')
    .describe(
      'Our contracts per network: 31337=<factory>,<implementation 721>,<implementation 1155>;... npm run deploy-contracts prints it.',
    ),
  PAYMENT_TOKENS: z
    .string()
    .default('')
    .describe('ERC-20 tokens crypto listings can be priced in: 31337=<address>:<symbol>:<decimals>:<name>,...;137=...'),
  GAS_BUDGET_GWEI: z
    .string()
    .regex(/^\d+$/)
    .default('0')
    .describe('What one organization may spend on gas per network and 24 hours, in gwei. 0: no limit.'),
  OPERATOR_FLOOR_GWEI: z
    .string()
    .regex(/^\d+$/)
    .default('50000000')
    .describe('An alarm is raised when an operator’s balance falls below this many gwei.'),
  MAX_FEE_GWEI: z
    .string()
    .regex(/^\d+$/)
    .default('1000')
    .describe(
      'The highest price per gas, in gwei, that fees are raised to when a transaction is not mined in time. At that price an alarm is raised.',
    ),
  SMTP_URL: z.string().default('').describe('Where mail leaves: smtp://user:password@host:587'),
  MAIL_FROM: z.string().default('Vitrine <hello@vitrine.localhost>').describe('Sender of all mail.'),
  DEV_MAIL_DIR: z.string().default('').describe('Folder of the embedded inbox. Set by npm run up.'),
  MEDIA_DIR: z.string().default('.data/media').describe('Where our copies of images are kept.'),
  S3_BUCKET: z.string().default('').describe('Keep media in this bucket instead of MEDIA_DIR.'),
  S3_REGION: z.string().default('us-east-1').describe('Region of the bucket.'),
  S3_ENDPOINT: z.string().default('').describe('Address of an S3-compatible server. Empty: Amazon’s.'),
  S3_ACCESS_KEY_ID: z.string().default('').describe('Key of the bucket. Empty: what the machine itself provides.'),
  S3_SECRET_ACCESS_KEY: z.string().default(''),
  PINNING_KUBO_URL: z
    .string()
    .default('')
    .describe('RPC address of a Kubo node that pins uploaded media, such as http://127.0.0.1:5001'),
  PINNING_PINATA_JWT: z.string().default('').describe('Pins uploaded media at Pinata.'),
  PINNING_PINATA_URL: z.string().default('https://uploads.pinata.cloud').describe('Where Pinata takes uploads.'),
  IPFS_GATEWAY: z
    .string()
    .default('')
    .describe(
      'Where ipfs:// metadata and pictures of contracts that were there before are read, such as https://ipfs.io. Empty: they aren’t.',
    ),
  MAILGUN_API_BASE: z
    .string()
    .default('')
    .describe(
      'Another server in place of Mailgun’s, for tests. Empty: https://api.mailgun.net or https://api.eu.mailgun.net.',
    ),
  EGRESS_ALLOW: list.describe(
    'Private ranges that images are fetched from, webhooks are posted to and custom mail servers are reached at after all, comma-separated (none by default).',
  ),
  PLATFORM_FEE_BPS: count(0).describe('Platform fee in basis points of a sale.'),
  PLATFORM_FEE_ADDRESS: z.string().default('').describe('Where the platform fee of crypto sales goes.'),
  STRIPE_SECRET_KEY: z
    .string()
    .default('')
    .describe(
      'The platform’s secret key at Stripe. A test key serves listings on testnets, a live key all others. Empty: the built-in card provider, which is for tests only.',
    ),
  STRIPE_PUBLISHABLE_KEY: z.string().default('').describe('The publishable key that goes with it.'),
  STRIPE_WEBHOOK_SECRET: list.describe(
    'Signing secret of the Connect webhook at <ORIGIN>/webhooks/cards/stripe (events payment_intent.*, charge.refunded, charge.dispute.*, refund.*, account.updated, account.application.deauthorized). Two, comma-separated, while one is being replaced.',
  ),
  STRIPE_API_BASE: z
    .string()
    .default('')
    .describe('Another server in place of Stripe’s, for tests: http://localhost:12111'),
  RATE_LIMIT_PUBLIC_READS: count(600).describe('Per minute and client address. 0 = off.'),
  RATE_LIMIT_PUBLIC_WRITES: count(60).describe('Per minute and client address. 0 = off.'),
  RATE_LIMIT_ADMIN: count(1200).describe('Per minute and API key. 0 = off.'),
  OPEN_INTENTS_PER_BUYER: count(3).describe(
    'Open unpaid purchases one buyer may have with an organization. 0 = no limit.',
  ),
  OPEN_INTENTS_PER_CLIENT: count(10).describe(
    'Open unpaid purchases one client address may have of a listing. 0 = no limit, and no proof of work for what is nearly all reserved.',
  ),
  UNOPENED_CLAIM_HOURS: count(72).describe(
    'A free claim from a listing that nobody opens returns after so many hours. 0 = only when it expires.',
  ),
  PROOF_OF_WORK: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'auto: asked of free email purchases, of listings that say so, and while more than half of a listing is in unpaid holds.',
    ),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  CRASH_AT: z
    .string()
    .default('')
    .describe('For fault tests: the named point at which this process kills itself, once per start.'),
})
export type Env = z.output<typeof envSchema>

/** The settings of this process. An empty value counts as absent. Throws an Error that names every invalid setting. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const result = envSchema.safeParse(Object.fromEntries(Object.entries(source).filter(([, value]) => value !== '')))
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`These settings are not valid:\n${lines.join('\n')}`)
}

export const env: Env = readEnv()
