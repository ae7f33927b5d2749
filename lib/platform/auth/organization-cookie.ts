import { DAY } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { isUuid } from '../../core/id.ts'
import { ORGANIZATION_COOKIE } from './authenticate.ts'

/** How the chosen organization is remembered in a browser. It holds a wish and nothing secret. */
export const organizationCookieOptions = () => ({
  path: '/',
  maxAge: 365 * DAY,
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: env.ORIGIN.startsWith('https:'),
})

/** The same as a header. */
export function organizationCookie(organizationId: string): string {
  const { path, maxAge, secure } = organizationCookieOptions()
  return `${ORGANIZATION_COOKIE}=${isUuid(organizationId) ? organizationId : ''}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
