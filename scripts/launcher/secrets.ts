import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** The secrets of a sandbox, created once per data folder. */
export type Secrets = {
  SERVER_KEY: string
  NEXTAUTH_SECRET: string
  OPERATOR_KEYS: string
  /** Of the embedded database's owner. */
  DATABASE_PASSWORD: string
  /** The user and password of DATABASE_URL: what the logins of web and worker are made from. */
  LOGIN_USER: string
  LOGIN_PASSWORD: string
}

/** Reads the secrets of a data folder and creates those that are missing. */
export function readOrCreateSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json')
  const known = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<Secrets>) : {}
  const secrets: Secrets = {
    SERVER_KEY: known.SERVER_KEY ?? randomBytes(32).toString('hex'),
    NEXTAUTH_SECRET: known.NEXTAUTH_SECRET ?? randomBytes(32).toString('base64url'),
    OPERATOR_KEYS: known.OPERATOR_KEYS ?? `0x${randomBytes(32).toString('hex')}`,
    DATABASE_PASSWORD: known.DATABASE_PASSWORD ?? randomBytes(24).toString('base64url'),
    // Names of logins hold for a whole server, which another sandbox may share.
    LOGIN_USER: known.LOGIN_USER ?? `vitrine_${randomBytes(4).toString('hex')}`,
    LOGIN_PASSWORD: known.LOGIN_PASSWORD ?? randomBytes(24).toString('base64url'),
  }
  writeAtomically(file, JSON.stringify(secrets, null, 2))
  return secrets
}

/** Replaces a file, so that a reader sees the old or the new content, never a part. */
export function writeAtomically(file: string, content: string | Buffer): void {
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, content, { mode: 0o600 })
  fs.renameSync(draft, file)
}
