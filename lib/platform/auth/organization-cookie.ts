import { DAY } from '../../core/clock.ts'
import { isUuid } from '../../core/id.ts'
import { ORGANIZATION_COOKIE, SECURE_COOKIES } from './cookies.ts'

/**
 * Options of the cookie with the chosen organization's id. It is no credential: membership is checked on each request.
 */
export const organizationCookieOptions = () => ({
  path: '/',
  maxAge: 365 * DAY,
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: SECURE_COOKIES,
})

/** The cookie as the value of a Set-Cookie header. */
export function organizationCookie(organizationId: string): string {
  const { path, maxAge, secure } = organizationCookieOptions()
  return (
    `${ORGANIZATION_COOKIE}=${isUuid(organizationId) ? organizationId : ''}; Path=${path}; Max-Age=${maxAge}; ` +
    `HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  )
}
