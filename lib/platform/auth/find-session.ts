import type { MemberRole } from '../../../generated/prisma/client.ts'
import { now } from '../../core/clock.ts'
import { systemScope } from '../../db/scope.ts'
import type { Statement } from '../../db/statements.ts'
import { sessionHash } from './create-session.ts'

/** `locale`: the organization's language. */
export type Membership = { organizationId: string; name: string; role: MemberRole; locale: string | null }
/** A membership of somebody signed in. `joinedAt` is null while they are only invited. */
type SessionMembership = Membership & { id: string; joinedAt: Date | null; requiresPasskeys: boolean }

export type Session = {
  id: string
  userId: string
  email: string
  /** The language that the person chose. */
  locale: string | null
  createdAt: Date
  lastUsedAt: Date | null
  passkeyId: string | null
  /** Oldest first. */
  memberships: SessionMembership[]
}

type SessionRow = {
  id: string
  user_id: string
  email: string
  own_locale: string | null
  created_at: Date
  last_used_at: Date | null
  passkey_id: string | null
  member_id: string | null
  organization_id: string
  role: MemberRole
  joined_at: Date | null
  name: string
  locale: string | null
  requires_passkeys: boolean
}

const SESSION: Statement = {
  name: 'find_session',
  text: `
    SELECT s.id::text AS id, s.user_id::text AS user_id, u.email, u.locale AS own_locale, s.created_at, s.last_used_at,
      s.passkey_id::text AS passkey_id, m.id::text AS member_id, m.organization_id::text AS organization_id,
      m.role::text AS role, m.joined_at, o.name, o.locale, o.requires_passkeys
    FROM sessions s JOIN users u ON u.id = s.user_id
      LEFT JOIN (members m JOIN organizations o ON o.id = m.organization_id) ON m.user_id = s.user_id
        AND m.removed_at IS NULL
    WHERE s.token_hash = $1::bytea AND s.expires > $2::timestamptz AND u.disabled_at IS NULL
    ORDER BY m.id`,
}

/**
 * The running session of a token, with its person, whom no operator has disabled, and where they are a member; null
 * when there is none.
 */
export async function findSession(sessionToken: string): Promise<Session | null> {
  const rows = await systemScope().rows<SessionRow>(SESSION, sessionHash(sessionToken), now())
  const [session] = rows
  if (!session) return null
  return {
    id: session.id,
    userId: session.user_id,
    email: session.email,
    locale: session.own_locale,
    createdAt: session.created_at,
    lastUsedAt: session.last_used_at,
    passkeyId: session.passkey_id,
    memberships: rows.flatMap((row) =>
      row.member_id === null
        ? []
        : [
            {
              id: row.member_id,
              organizationId: row.organization_id,
              name: row.name,
              role: row.role,
              locale: row.locale,
              joinedAt: row.joined_at,
              requiresPasskeys: row.requires_passkeys,
            },
          ],
    ),
  }
}
