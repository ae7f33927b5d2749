import pg from 'pg'
import type { Prisma } from '../../generated/prisma/client.ts'

let left: { checks: readonly string[] } | null = null

/**
 * Records of this test file disagree in the end, for this reason: it plants damage, or rows that nothing made. Only
 * these checks of `verifyBooks` may find something then; without any, none is made. Call it at the top of the file.
 */
export const leaveDisagreements = (_reason: string, ...checks: string[]): void => void (left = { checks })

/** The checks of what the chain says of mints, for files that mint by hand. */
export const MINTS = ['an item’s mints are the chain’s logs', 'an item’s units are with its owners'] as const

/**
 * Throws if the records of stock, money and chain of a test file's database disagree with each other. They are read as
 * the owner, on a connection of its own, past whatever the file has replaced or closed.
 */
export async function verifyFile(ownerUrl: string): Promise<void> {
  if (left?.checks.length === 0) return
  const client = new pg.Client({ connectionString: ownerUrl, options: '-c jit=off' })
  await client.connect()
  try {
    const { rows } = await client.query('SELECT FROM organizations LIMIT 1')
    if (rows.length === 0) return
    const { verifyBooks } = await import('../../lib/data/reconciliation/verify-books.ts')
    const findings = await verifyBooks({
      sql: async <T>({ text, values }: Prisma.Sql) => (await client.query(text, values)).rows as T[],
    })
    const others = findings.filter(({ check }) => !left?.checks.includes(check))
    if (others.length === 0) return
    const lines = others.slice(0, 20).map(({ check, subject, detail }) => `${check}: ${subject}: ${detail}`)
    throw new Error(`The records of this file disagree with each other (${others.length}):\n${lines.join('\n')}`)
  } finally {
    await client.end()
  }
}
