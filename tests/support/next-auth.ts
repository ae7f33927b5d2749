import NextAuth from 'next-auth'
import { env } from '../../lib/core/env.ts'
import { askForSignIn } from '../../lib/members/ask-for-sign-in.ts'
import { followOidcRole } from '../../lib/members/follow-oidc-role.ts'
import { signInOptions } from '../../lib/platform/auth/next-auth.ts'
import { linkRequestContext } from '../../lib/platform/auth/narrow-contexts.ts'

/** The options of sign-in for a browser, whose session a sign-in replaces. */
export const optionsOf = (replaces?: string) =>
  signInOptions({
    askForLink: (email, returnTo) => askForSignIn(linkRequestContext({ requestId: 'sign-in' }), { email, returnTo }),
    followRole: (email, role) => followOidcRole({ requestId: 'sign-in', clientAddress: '' }, { email, role }),
    requestId: 'sign-in',
    clientAddress: '192.0.2.7',
    userAgent: 'A browser',
    replaces,
  })

type Asked = { path: string[]; method: string; query?: object; body?: object; cookies?: Record<string, string> }
type Answer = { location: string | undefined; cookies: Record<string, string>; body: unknown }

/** What next-auth answers, through its interface that needs no running Next. */
export async function nextAuth({ path, method, query, body, cookies }: Asked): Promise<Answer> {
  const headers: Record<string, string | string[]> = {}
  let sent: unknown
  const response = {
    status: () => response,
    getHeader: (name: string) => headers[name],
    setHeader: (name: string, value: string | string[]) => ((headers[name] = value), response),
    send: (content: unknown) => void (sent = content),
    json: (content: unknown) => void (sent = content),
    end: () => undefined,
  }
  const request = {
    method,
    query: { ...query, nextauth: path },
    body: body ?? {},
    cookies: cookies ?? {},
    headers: { host: new URL(env.ORIGIN).host },
  }
  await NextAuth(request as never, response as never, optionsOf(cookies?.['next-auth.session-token']))
  const set = [headers['Set-Cookie'] ?? []].flat().map((cookie) => /^([^=]+)=([^;]*)/.exec(cookie)!)
  return {
    location: headers.Location as string | undefined,
    cookies: Object.fromEntries(set.map(([, name, value]) => [name, decodeURIComponent(value!)])),
    body: sent,
  }
}
