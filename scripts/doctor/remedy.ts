type Cause = { pattern: RegExp; remedy: string }

/** By codes of Node, OpenSSL and PostgreSQL, and where a library drops those by its words. */
const CAUSES: readonly Cause[] = [
  {
    pattern: /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|certificate (?:has expired|is not yet valid)/i,
    remedy: 'Its certificate isn’t valid now: have it renewed, and see that this machine’s clock is right.',
  },
  {
    pattern: /ERR_TLS_CERT_ALTNAME_INVALID|match certificate's altnames/i,
    remedy: 'Its certificate is for another name: use the name in it, or have one made for this one.',
  },
  {
    pattern: /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET_ISSUER)|self-signed certificate|unable to (?:verify|get local)/i,
    remedy: 'Nobody this machine knows signed its certificate: name who did in NODE_EXTRA_CA_CERTS.',
  },
  {
    pattern: /ENOTFOUND|EAI_AGAIN/,
    remedy: 'This machine doesn’t know the name: see its spelling, and that DNS answers.',
  },
  { pattern: /ECONNREFUSED/, remedy: 'Nothing listens there: see that it runs, and that host and port are right.' },
  {
    pattern: /EPROTO|wrong version number|does not support SSL/i,
    remedy: 'It speaks with or without TLS otherwise than the address says: correct its scheme, port or sslmode.',
  },
  {
    pattern: /ENOSPC|EDQUOT|\b53100\b|No space left on device|\b507\b/,
    remedy: 'Its disk is full: free or add space there. What waits goes on by itself.',
  },
  { pattern: /EROFS|Read-only file system/, remedy: 'It is mounted read-only: mount it so that it can be written.' },
  { pattern: /28P01|password authentication failed/, remedy: 'It refuses the login: correct user and password.' },
  { pattern: /3D000/, remedy: 'It has no database of this name: correct the name, or make one.' },
  {
    pattern: /ETIMEDOUT|CONNECT_TIMEOUT|TimeoutError|EHOSTUNREACH|ENETUNREACH/,
    remedy:
      'Nothing comes back: see that this machine may connect there. Firewalls and hosters block ports, such as 25.',
  },
]

/** How to mend a connection that failed, by its cause; `otherwise` where the error names none that we know. */
export function remedyFor(error: unknown, otherwise: string): string {
  const said = [...errorsIn(error)].map(({ name, code, message }) => `${name} ${code} ${message}`).join('\n')
  return CAUSES.find(({ pattern }) => pattern.test(said))?.remedy ?? otherwise
}

/** An error, what caused it, and what it stands for. */
function* errorsIn(error: unknown, depth = 0): Generator<NodeJS.ErrnoException> {
  if (!(error instanceof Error) || depth > 5) return
  yield error
  const more = error instanceof AggregateError ? error.errors : []
  for (const inner of [error.cause, ...(more as unknown[])]) yield* errorsIn(inner, depth + 1)
}
