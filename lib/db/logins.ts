import pg from 'pg'
import { DATABASE_ROLES, type DatabaseRole, LOGIN_SETTINGS } from './session.ts'

const { escapeIdentifier: name, escapeLiteral: literal } = pg

const USER_AND_PASSWORD = /^(postgres(?:ql)?:\/\/)([^:@/?#]+):([^@/?#]+)@/
/** PostgreSQL cuts names at 63 bytes; the longest ending is _system. */
const LONGEST_STEM = 56

/** The user and the password of a runtime URL. Throws an Error for people when logins can't be made from it. */
export function credentialsOf(url: string): { stem: string; password: string } {
  const found = USER_AND_PASSWORD.exec(url)
  if (!found) throw new Error('DATABASE_URL must name a user and a password: postgresql://user:password@host/database.')
  const stem = decodeURIComponent(found[2]!)
  const password = decodeURIComponent(found[3]!)
  if (stem === 'vitrine')
    throw new Error(
      'The user of DATABASE_URL can’t be vitrine, since vitrine_app is the name of a shared role. ' +
        'Choose another name, such as shop.',
    )
  if (Buffer.byteLength(stem) > LONGEST_STEM)
    throw new Error(`The user of DATABASE_URL can have ${LONGEST_STEM} bytes at most.`)
  if (!/^[\x20-\x7e]+$/.test(password))
    throw new Error('The password of DATABASE_URL may have letters, digits and signs of ASCII only.')
  return { stem, password }
}

/** The name of the login that does the work of a role: shop_app for vitrine_app where DATABASE_URL's user is shop. */
export const loginOf = (stem: string, role: DatabaseRole): string => `${stem}${role.slice('vitrine'.length)}`

/** DATABASE_URL, or that of a replica, with the login for a role in place of its user. */
export const loginUrl = (url: string, role: DatabaseRole): string => {
  const { stem } = credentialsOf(url)
  return url.replace(
    USER_AND_PASSWORD,
    (_, scheme: string, _user, password: string) => `${scheme}${encodeURIComponent(loginOf(stem, role))}:${password}@`,
  )
}

/**
 * The statements that let the logins into one database and nobody else. A copy of a database doesn't have these rights.
 */
export const rightsIn = (database: string, stem: string): string[] => [
  // Logins of another installation in the same cluster are members of the same groups.
  `REVOKE CONNECT, TEMPORARY ON DATABASE ${name(database)} FROM PUBLIC`,
  ...DATABASE_ROLES.flatMap((role) => {
    const login = name(loginOf(stem, role))
    return [
      `GRANT CONNECT ON DATABASE ${name(database)} TO ${login}`,
      ...Object.entries(LOGIN_SETTINGS).map(
        ([setting, value]) => `ALTER ROLE ${login} IN DATABASE ${name(database)} SET ${setting} = ${literal(value)}`,
      ),
    ]
  }),
]
