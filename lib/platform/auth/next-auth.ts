import { PrismaAdapter } from '@auth/prisma-adapter'
import type { NextAuthOptions, Profile } from 'next-auth'
import type { Adapter, AdapterAccount } from 'next-auth/adapters'
import type { EmailConfig } from 'next-auth/providers/email'
import GitHub from 'next-auth/providers/github'
import Google from 'next-auth/providers/google'
import { env } from '../../core/env.ts'
import { log } from '../../core/log.ts'
import { systemClient } from '../../db/client.ts'
import { SIGN_IN_COOKIES } from './cookies.ts'
import { type Browser, createSession, SESSION_SECONDS, sessionHash } from './create-session.ts'
import type { Role } from '../api/permissions.ts'
import { mapsOidcRoles, oidcProviders, oidcRoleOf } from './oidc.ts'
import { emailOf, endSession, isMember, maySignUp, SIGN_IN_SECONDS, signInSecret } from './sign-in.ts'

/** How a sign-in is asked for, and the browser that signs in. */
export type SignInRequest = Browser & {
  requestId: string
  /** Asks for a link that opens this path of the dashboard. */
  askForLink: (email: string, returnTo: string) => Promise<void>
  /** The secret of the link that signs in, where it isn't the newest. */
  secret?: string
  /** Gives a member the role that the OpenID Connect provider says; null: it says none. */
  followRole: (email: string, role: Role | null) => Promise<void>
}

/**
 * How people sign in to the dashboard: by a mailed link, and with Google, GitHub and an OpenID Connect provider when
 * configured.
 */
export const signInOptions = (request: SignInRequest): NextAuthOptions => ({
  secret: request.secret ?? signInSecret(),
  adapter: adapter(request),
  // Never extended: the second figure is the age at which next-auth would.
  session: { strategy: 'database', maxAge: SESSION_SECONDS, updateAge: SESSION_SECONDS },
  cookies: SIGN_IN_COOKIES,
  pages: { signIn: '/sign-in', error: '/sign-in', verifyRequest: '/sign-in/check' },
  providers: [linkByMail(request), ...oauthProviders()],
  callbacks: {
    signIn: async ({ user, account, profile, email }) => {
      try {
        const allowed = await maySignIn(user.email, account?.provider, profile, email?.verificationRequest)
        // The account decides who signs in, whatever address the provider says now. If this fails, nobody signs in with
        // an earlier role.
        if (allowed && account?.provider === 'oidc' && mapsOidcRoles())
          await request.followRole(user.email ?? '', oidcRoleOf(profile))
        return allowed
      } catch (error) {
        log.error({ requestId: request.requestId, error }, 'Sign-in failed.')
        throw new Error('Callback', { cause: error }) // next-auth puts the message into the page's URL
      }
    },
  },
  logger: {
    error: (code, details) => log.error({ requestId: request.requestId, code, details }, 'Sign-in failed.'),
    warn: (code) => log.debug({ code }, 'Sign-in warns.'),
    debug: () => undefined,
  },
})

/** Whether a person may sign in. Requests for a link always pass, so that the page doesn't disclose who is a member. */
async function maySignIn(
  email: string | null | undefined,
  provider: string | undefined,
  profile: Profile | undefined,
  requestsLink = false,
): Promise<boolean> {
  if (requestsLink) return true
  const verified =
    provider === 'google' || provider === 'oidc'
      ? (profile as { email_verified?: boolean } | undefined)?.email_verified === true
      : true
  return Boolean(email) && verified && ((await isMember(email ?? '')) || (await maySignUp(email ?? '')))
}

const linkByMail = ({ askForLink }: SignInRequest): EmailConfig => ({
  id: 'email',
  type: 'email',
  name: 'Email',
  server: '',
  from: env.MAIL_FROM,
  maxAge: SIGN_IN_SECONDS,
  options: {},
  sendVerificationRequest: ({ identifier, url }) => askForLink(emailOf(identifier), returnPathOf(url)),
})

/** The path that next-auth's own link would open after signing in. */
function returnPathOf(link: string): string {
  const { pathname, search } = new URL(new URL(link).searchParams.get('callbackUrl') ?? '/', env.ORIGIN)
  return pathname + search
}

const oauthProviders = () => [
  ...(env.OAUTH_GOOGLE_ID && env.OAUTH_GOOGLE_SECRET
    ? [
        Google({
          clientId: env.OAUTH_GOOGLE_ID,
          clientSecret: env.OAUTH_GOOGLE_SECRET,
          allowDangerousEmailAccountLinking: true,
        }),
      ]
    : []),
  ...(env.OAUTH_GITHUB_ID && env.OAUTH_GITHUB_SECRET
    ? [
        GitHub({
          clientId: env.OAUTH_GITHUB_ID,
          clientSecret: env.OAUTH_GITHUB_SECRET,
          allowDangerousEmailAccountLinking: true,
          userinfo: {
            url: 'https://api.github.com/user',
            request: async ({ tokens }) => githubProfile(tokens.access_token ?? ''),
          },
        }),
      ]
    : []),
  ...oidcProviders(),
]

/** The names of the OAuth providers this installation offers. */
export const oauthNames = (): { id: string; name: string }[] => oauthProviders().map(({ id, name }) => ({ id, name }))

type GithubEmail = { email: string; primary: boolean; verified: boolean }

/** The GitHub profile with the primary address, if GitHub verified it; a profile's public address may be unverified. */
async function githubProfile(token: string) {
  const fetchJson = async <T>(path: string): Promise<T> => {
    const response = await fetch(`https://api.github.com${path}`, {
      headers: { authorization: `Bearer ${token}`, 'user-agent': 'vitrine' },
    })
    if (!response.ok) throw new Error(`GitHub answered ${response.status}.`)
    return (await response.json()) as T
  }
  const [profile, emails] = await Promise.all([fetchJson<Profile>('/user'), fetchJson<GithubEmail[]>('/user/emails')])
  return { ...profile, email: emails.find(({ primary, verified }) => primary && verified)?.email } as never
}

/**
 * next-auth's tables through the system client. Of an OAuth account only its id is stored, since its tokens are never
 * used again. Of a session the token's hash is. Tokens of links are written by the job that mails them, for members
 * only.
 */
function adapter(browser: Browser): Adapter {
  return {
    ...(PrismaAdapter(systemClient()) as Adapter),
    createVerificationToken: (token) => Promise.resolve(token),
    createSession: async ({ sessionToken, userId, expires }) => {
      await createSession({ sessionToken, userId, expires }, browser)
      return { sessionToken, userId, expires }
    },
    // While signing in there is no session yet: without this next-auth would go on with the old one after OAuth.
    getSessionAndUser: (token) => (browser.replaces === undefined ? findSession(token) : Promise.resolve(null)),
    updateSession: () => Promise.resolve(null),
    deleteSession: endSession,
    linkAccount: async ({ userId, type, provider, providerAccountId }: AdapterAccount) => {
      await systemClient().account.create({ data: { userId, type, provider, providerAccountId } })
    },
  }
}

async function findSession(sessionToken: string) {
  const found = await systemClient().session.findUnique({
    where: { tokenHash: sessionHash(sessionToken) },
    include: { user: true },
  })
  return found && { user: found.user, session: { sessionToken, userId: found.userId, expires: found.expires } }
}
