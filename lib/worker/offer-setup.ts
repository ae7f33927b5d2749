import { systemContext } from '../platform/auth/authenticate.ts'
import { issueSetupLink } from '../members/issue-setup-link.ts'
import { loop } from './loop.ts'

/** Prints a setup link, once the database answers, if the installation has no organization yet. */
export async function offerSetup(signal: AbortSignal, print: (text: string) => void): Promise<void> {
  const done = new AbortController()
  const step = async () => {
    const link = await issueSetupLink(systemContext('setup'))
    if (link) print(`This installation has no organization yet. Set it up within an hour, once:\n${link}`)
    done.abort()
    return 0
  }
  await loop('offer setup', AbortSignal.any([signal, done.signal]), step)
}
