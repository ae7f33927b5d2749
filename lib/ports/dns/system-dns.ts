import { Resolver } from 'node:dns/promises'
import type { Dns } from './dns.ts'

const TRY_MS = 1_500
const TRIES = 2

/** A server's answers for a name that doesn't exist or has no such record. */
const NONE = new Set(['ENOTFOUND', 'ENODATA'])

/** The adapter over the system's name servers. `servers` replaces them, for tests: `127.0.0.1:5353`. */
export function systemDns(servers?: readonly string[]): Dns {
  return {
    async texts(name) {
      // One each time: a resolver keeps the servers that the system had when it was made.
      const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
      if (servers) resolver.setServers(servers)
      try {
        return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
      } catch (error) {
        if (NONE.has((error as NodeJS.ErrnoException).code ?? '')) return []
        throw error
      }
    },
  }
}
