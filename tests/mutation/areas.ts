import { globSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

/** What is mutated: each area with its files. */
export const AREAS: Readonly<Record<string, readonly string[]>> = {
  claims: ['lib/giving/**/*.ts'],
  purchases: ['lib/selling/purchases/**/*.ts'],
  payments: ['lib/selling/payments/**/*.ts'],
  listings: ['lib/offers/listings/**/*.ts'],
  stock: ['lib/stock/**/*.ts'],
  mints: ['lib/onchain/mints/**/*.ts'],
  transactions: ['lib/onchain/transactions/**/*.ts', 'lib/orders/**/*.ts'],
  vouchers: ['lib/onchain/vouchers/**/*.ts'],
  indexer: ['lib/onchain/indexer/**/*.ts'],
  auth: ['lib/platform/auth/**/*.ts'],
  http: ['lib/platform/http/**/*.ts'],
  db: ['lib/db/*.ts'],
  egress: ['lib/ports/egress/**/*.ts'],
  webhooks: ['lib/messaging/webhooks/**/*.ts'],
}

export const filesOf = (area: string): string[] =>
  AREAS[area]!.flatMap((pattern) => globSync(pattern, { cwd: root })).sort()

export const isMutated = (file: string): boolean =>
  Object.values(AREAS).some((patterns) => patterns.some((pattern) => path.matchesGlob(file, pattern)))
