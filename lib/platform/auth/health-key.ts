import { createHash } from 'node:crypto'
import { env } from '../../core/env.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { sameBytes } from '../../core/secrets.ts'

/** Throws unless the request has HEALTH_KEY as its bearer token; not found where the setting is empty. */
export function assertHealthKey(request: Request, key: string = env.HEALTH_KEY): void {
  if (!key) throw notFound()
  const given = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  // Hashes have one length, so that not even the key's length shows.
  if (!sameBytes(digest(given), digest(key)))
    throw new AppError('unauthenticated', 'Send HEALTH_KEY as a bearer token.')
}

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()
