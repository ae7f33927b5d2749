import type { OAuthConfig } from 'next-auth/providers/oauth'
import { env } from '../../core/env.ts'
import { type Role, ROLES } from '../api/permissions.ts'

type OidcProfile = { sub: string; email?: string; name?: string }

/**
 * The OpenID Connect provider of the settings, if there is one. Whether its address is verified is checked at every
 * sign-in.
 */
export const oidcProviders = (): OAuthConfig<OidcProfile>[] =>
  env.OIDC_ISSUER && env.OIDC_CLIENT_ID && env.OIDC_CLIENT_SECRET
    ? [
        {
          id: 'oidc',
          name: env.OIDC_NAME,
          type: 'oauth',
          issuer: env.OIDC_ISSUER,
          wellKnown: `${env.OIDC_ISSUER.replace(/\/$/, '')}/.well-known/openid-configuration`,
          clientId: env.OIDC_CLIENT_ID,
          clientSecret: env.OIDC_CLIENT_SECRET,
          authorization: { params: { scope: env.OIDC_SCOPE } },
          checks: ['pkce', 'state', 'nonce'],
          idToken: true,
          // The scope's claims are in the user information (OpenID Connect Core 5.4); openid-client checks that it is
          // of the ID token's subject. next-auth types the token set by its data alone, but passes openid-client's own.
          userinfo: {
            request: ({ tokens, client }) => client.userinfo(tokens as Parameters<typeof client.userinfo>[0]),
          },
          profile: ({ sub, email, name }) => ({ id: sub, email: email ?? null, name: name ?? null }),
          allowDangerousEmailAccountLinking: true,
        },
      ]
    : []

/** Whether roles are taken from the provider. */
export const mapsOidcRoles = (): boolean => env.OIDC_ROLE_CLAIM !== '' && env.OIDC_ROLES.length > 0

/** The highest role that a person's user information gives by the settings; null: none. */
export function oidcRoleOf(profile: object | undefined): Role | null {
  const claim = Object.entries(profile ?? {}).find(([name]) => name === env.OIDC_ROLE_CLAIM)?.[1] as unknown
  const given = [claim].flat()
  const roles = env.OIDC_ROLES.flatMap((entry) => {
    const at = entry.lastIndexOf('=')
    return given.includes(entry.slice(0, at)) ? [entry.slice(at + 1)] : []
  })
  return ROLES.find((role) => roles.includes(role)) ?? null
}
