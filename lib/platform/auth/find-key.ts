import { type Permission, ROLE_PERMISSIONS } from '../api/permissions.ts'
import { now } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import { currentKeyId, type KeyedMac, sameBytes } from '../../core/secrets.ts'
import { findServerKey } from '../../core/server-keys.ts'
import { connectionsOf, systemClient } from '../../db/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { isUnwritable } from '../../db/errors.ts'
import { logFailing } from '../../db/log-failing.ts'
import { systemScope } from '../../db/scope.ts'
import { call, runAlone } from '../../db/statements.ts'
import { questions } from '../http/hot/questions.ts'
import type { RequestHead } from '../http/request-head.ts'
import type { Actor } from './context.ts'
import { readKey } from './key-format.ts'

/** The error for a request that shows neither a valid key nor a session. */
export const unauthenticated = () =>
  new AppError('unauthenticated', 'Send a valid API key as "Authorization: Bearer <key>" or "X-Api-Key: <key>".')

const KEY = columns('k', 'ApiKey', [
  'id',
  'organizationId',
  'memberId',
  'secretHash',
  'serverKeyId',
  'mode',
  'permissions',
  'expiresAt',
  'lastUsedAt',
])
const MEMBER = columns('m', 'Member', ['role'])
type KeyRow = RowOf<typeof KEY> & RowOf<typeof MEMBER> & { isVoid: boolean }

/** A member who was disabled has no keys but one that was being made at that moment. */
const FIND_KEYS = {
  name: 'find_api_keys',
  text: `SELECT asked.at::int AS at, found.* FROM unnest((SELECT $1::text[])) WITH ORDINALITY AS asked(short_id, at)
      CROSS JOIN LATERAL (
    SELECT ${KEY}, ${MEMBER},
      (k.revoked_at IS NOT NULL OR m.removed_at IS NOT NULL OR u.disabled_at IS NOT NULL) AS "isVoid"
    FROM api_keys k JOIN members m ON m.id = k.member_id JOIN users u ON u.id = m.user_id
    WHERE k.short_id = asked.short_id LIMIT 1) found`,
}

/** Keys that are shown at the same time are looked up together, and one that many requests show once. */
const keyRowOf = questions<readonly [string], KeyRow | undefined>(async (keys) => {
  const rows = await systemScope().rows<KeyRow & { at: number }>(
    FIND_KEYS,
    keys.map(([shortId]) => shortId),
  )
  const found = new Map(rows.map((row) => [row.at, row]))
  return keys.map((_, at) => found.get(at + 1))
})

/**
 * The organization and the actor of the API key that a request shows; null when it shows none. Nothing is kept: a
 * revoked key is refused at once.
 */
export async function findKey(request: RequestHead): Promise<{ organizationId: string; actor: Actor } | null> {
  const bearer = request.headers.get('authorization')
  const key = bearer ? (/^Bearer +(\S+)$/i.exec(bearer)?.[1] ?? '') : request.headers.get('x-api-key')
  if (key === null) return null
  const parts = readKey(key)
  if (!parts) throw unauthenticated()
  const row = await keyRowOf([parts.shortId])
  const hash = row && parts.hashes.find(({ mac }) => sameBytes(row.secretHash, mac))
  if (row?.serverKeyId && !hash && !findServerKey(row.serverKeyId))
    log.warn(
      { apiKey: row.id, serverKey: row.serverKeyId },
      'An API key needs a server key that isn’t listed any more.',
    )
  const valid = row && hash && row.mode === parts.mode
  if (!valid || row.isVoid || (row.expiresAt && row.expiresAt <= now())) throw unauthenticated()
  if (!row.lastUsedAt || now().getTime() - row.lastUsedAt.getTime() > 60_000) noteUse(row.id)
  if (row.serverKeyId !== currentKeyId()) await moveOn(row, parts.hashes[0]!).catch(unlessUnwritable)
  const granted: readonly Permission[] = ROLE_PERMISSIONS[row.role]
  const actor = {
    type: 'api_key' as const,
    id: row.id,
    memberId: row.memberId,
    mode: row.mode,
    permissions: granted.filter((permission) => row.permissions.includes(permission)),
    expiresAt: row.expiresAt,
  }
  return { organizationId: row.organizationId, actor }
}

/** $2: the moment at which a key must not have expired. */
const FIND_ENDED = {
  name: 'find_ended_api_keys',
  text: `SELECT asked.id FROM unnest($1::uuid[]) AS asked(id) WHERE NOT EXISTS (
    SELECT 1 FROM api_keys k JOIN members m ON m.id = k.member_id JOIN users u ON u.id = m.user_id
    WHERE k.id = asked.id AND k.revoked_at IS NULL AND m.removed_at IS NULL AND u.disabled_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > $2::timestamptz))`,
}

/** Which of these API keys would be refused now: a request that waits asks again. */
export async function findEndedKeys(ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await systemScope().rows<{ id: string }>(FIND_ENDED, [...ids], now())
  return new Set(rows.map(({ id }) => id))
}

const NOTE_USE = {
  name: 'note_api_key_use',
  text: `UPDATE api_keys SET last_used_at = $2 WHERE id = $1
    AND (last_used_at IS NULL OR last_used_at < $2::timestamptz - interval '1 minute')`,
}
const noting = oncePerProcess('keys whose use is noted', () => new Set<string>())

/** Notes at most once a minute that a key is used. The request doesn't wait for it, and doesn't fail with it. */
function noteUse(id: string): void {
  if (noting.has(id)) return
  noting.add(id)
  runAlone(connectionsOf('vitrine_system'), [call(NOTE_USE, id, now())])
    .catch((error: unknown) => logFailing('use of API keys', error, 'The use of an API key was not noted.'))
    .finally(() => noting.delete(id))
}

/** Ignores an error that says that the database takes no writes: a note of a request can wait. Throws any other. */
function unlessUnwritable(error: unknown): void {
  if (!isUnwritable(error)) throw error
}

/** An API key's hash moves on to the newest server key when the key is used. */
async function moveOn({ id, secretHash }: KeyRow, { keyId: serverKeyId, mac }: KeyedMac): Promise<void> {
  const data = { secretHash: new Uint8Array(mac), serverKeyId }
  await systemClient().apiKey.updateMany({ where: { id, secretHash }, data })
}
