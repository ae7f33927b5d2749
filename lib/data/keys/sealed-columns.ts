import { Prisma } from '../../../generated/prisma/client.ts'
import type { SealedPurpose } from '../../core/secrets.ts'

/** A column with sealed values. They are bound to the row's key: its parts, in separate lines. */
export type SealedColumn = {
  table: string
  column: string
  purpose: SealedPurpose
  key: readonly { name: string; cast: 'uuid' | 'text' }[]
}

const ID = [{ name: 'id', cast: 'uuid' }] as const

/** Every column with sealed values. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'collections', column: 'reveal_seed', purpose: 'reveal', key: ID },
  { table: 'webhooks', column: 'secret', purpose: 'webhook', key: ID },
  { table: 'webhooks', column: 'previous_secret', purpose: 'webhook', key: ID },
  { table: 'email_integrations', column: 'secrets', purpose: 'email-integration', key: ID },
  { table: 'perks', column: 'content', purpose: 'perk', key: ID },
  { table: 'perk_codes', column: 'code', purpose: 'perk', key: ID },
  { table: 'perk_file_parts', column: 'bytes', purpose: 'perk', key: ID },
  { table: 'payments', column: 'client_secret', purpose: 'payment', key: ID },
  { table: 'outbox_messages', column: 'variables', purpose: 'outbox', key: ID },
  {
    table: 'idempotency_records',
    column: 'answer',
    purpose: 'idempotency',
    key: [
      { name: 'scope', cast: 'text' },
      { name: 'key', cast: 'text' },
    ],
  },
]

export const nameOf = ({ table, column }: SealedColumn): string => `${table}.${column}`
export const boundToOf = (key: readonly string[]): string => key.join('\n')

/** Names of tables and columns come from the list above only. */
export const raw = (name: string): Prisma.Sql => Prisma.raw(name)
