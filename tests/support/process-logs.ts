import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { atFileEnd } from './file-end.ts'
import { madeSecrets } from './made-secrets.ts'

/** A log, from where this test file began. */
type Log = { file: string; from: number }

const logs: Log[] = []
let output: string | null = null
/**
 * Whoever sets LOG_LEVEL wants to see what processes log; else only what isn't a line of our log, such as a trace, is
 * shown.
 */
const isShown = process.env.LOG_LEVEL !== 'silent'

/** The level at which the processes of a test file log. */
export const logLevel = (): { LOG_LEVEL: string } => ({ LOG_LEVEL: isShown ? process.env.LOG_LEVEL! : 'info' })

/** From now on this log is read at the end of the test file, too. */
export const followLog = (file: string): void =>
  void logs.push({ file, from: fs.existsSync(file) ? fs.statSync(file).size : 0 })

/**
 * Keeps what a process prints until the end of the test file, also in `lines`. Then no secret that the file made may be
 * in it, or in a log of PostgreSQL.
 */
export function followOutput({ stdout, stderr }: ChildProcess, env: NodeJS.ProcessEnv, lines: string[] = []): void {
  if (!output) {
    const file = (output = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-logs-')), 'processes.log'))
    fs.writeFileSync(file, '')
    followLog(file)
    if (process.env.TEST_POSTGRES_LOG) followLog(process.env.TEST_POSTGRES_LOG)
    atFileEnd(async () => {
      await assertNoSecrets().finally(() => fs.rmSync(path.dirname(file), { recursive: true, force: true }))
    })
  }
  for (const name of ['SERVER_KEY', 'VOUCHER_KEY', 'OPERATOR_KEYS', 'OPERATOR_WEBHOOK_SECRET'])
    for (const secret of (env[name] ?? '').split(',')) if (secret) madeSecrets.add(secret)
  for (const [stream, to] of [
    [stdout, process.stdout],
    [stderr, process.stderr],
  ] as const)
    createInterface({ input: stream! }).on('line', (line) => {
      lines.push(line)
      if (fs.existsSync(output!)) fs.appendFileSync(output!, `${line}\n`)
      if (isShown || !line.startsWith('{"level"')) to.write(`${line}\n`)
    })
}

/**
 * The lines with one of the secrets. A PIN counts where it stands alone; the id of a process, with which PostgreSQL
 * begins a line, doesn't.
 */
export function linesWith(secrets: Iterable<string>, text: string): string[] {
  const parts = [...secrets].map((secret) =>
    /^\d+$/.test(secret) ? `(?<!\\w)${secret}(?!\\w)` : RegExp.escape(secret),
  )
  if (parts.length === 0) return []
  const pattern = new RegExp(parts.join('|'))
  return text.split('\n').filter((line) => pattern.test(line.replace(/^(\S+ \S+ \S+ )\[\d+\]/, '$1')))
}

async function assertNoSecrets(): Promise<void> {
  const secrets = new Set([...madeSecrets, ...(await storedSecrets(process.env.MIGRATE_DATABASE_URL!))])
  const found = logs.flatMap(({ file, from }) => linesWith(secrets, fs.readFileSync(file).subarray(from).toString()))
  if (found.length > 0)
    throw new Error(`Logs show secrets or mailboxes (${found.length} lines):\n${found.slice(0, 10).join('\n')}`)
}

/** Mailboxes in all tables, and what follows from the rows: tokens of claims and secrets of purchases. */
async function storedSecrets(ownerUrl: string): Promise<string[]> {
  const { hmac } = await import('../../lib/core/secrets.ts')
  const { purchaseSecretParts } = await import('../../lib/platform/auth/authenticate.ts')
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const { rows: columns } = await client.query<{ of: string }>(
      `SELECT format('SELECT DISTINCT lower(%I) AS secret FROM %I.%I WHERE %I LIKE ''%%_@_%%''', column_name, table_schema, table_name, column_name) AS of
       FROM information_schema.columns WHERE table_schema = 'public' AND data_type = 'text' AND column_name ~ 'email|mailbox'`,
    )
    const mailboxes: string[] = []
    for (const { of } of columns)
      mailboxes.push(...(await client.query<{ secret: string }>(of)).rows.map(({ secret }) => secret))
    const { rows: claims } = await client.query<{ claim_id: string; generation: number }>(
      'SELECT claim_id, generation FROM claim_tokens',
    )
    const { rows: purchases } = await client.query<{ id: string; secretGeneration: number }>(
      'SELECT id, secret_generation AS "secretGeneration" FROM purchase_intents',
    )
    return [
      ...mailboxes,
      ...claims.map(({ claim_id, generation }) => hmac('claim-token', claim_id, generation).toString('base64url')),
      ...purchases.map((each) => hmac('purchase-secret', ...purchaseSecretParts(each)).toString('base64url')),
    ]
  } finally {
    await client.end()
  }
}
