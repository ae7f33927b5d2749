import { isIP } from 'node:net'
import { isOfPasskeys } from '../../../lib/core/passkey-domain.ts'
import { type Check, ok, warning, wrong } from '../check.ts'

/**
 * Whether recipients' passkeys work where their pages are. The database does not know which domain existing wallets
 * were made for.
 */
export const passkeys: Check = {
  name: 'passkeys',
  run: async ({ settings }) => {
    const main = new URL(settings.ORIGIN).hostname
    const site = new URL(settings.CLAIM_ORIGIN || settings.ORIGIN)
    const pages = site.hostname
    const domain = settings.PASSKEY_RP_ID || main
    if (isIP(domain.replace(/^\[|\]$/g, '')))
      return [wrong('PASSKEY_RP_ID', `Passkeys can’t be bound to an address such as ${domain}.`, 'Use a domain name.')]
    if (!isOfPasskeys(site, domain)) {
      if (settings.PASSKEY_ORIGINS.includes(site.origin))
        return [
          ok(
            'PASSKEY_RP_ID',
            `Passkeys are bound to ${domain}, and ${pages} may use them as long as https://${domain}/.well-known/webauthn names it.`,
          ),
        ]
      return [
        wrong(
          'PASSKEY_RP_ID',
          `The recipients’ pages are at ${pages}, which is not ${domain} and not under it: nobody can make or open a wallet.`,
          'Put PASSKEY_RP_ID back to what it was when the first wallet was made, and name these pages in PASSKEY_ORIGINS (docs/passkeys.md); without wallets, set it to the domain of these pages.',
        ),
      ]
    }
    if (!settings.PASSKEY_RP_ID && !settings.VITRINE_SANDBOX)
      return [
        warning(
          'PASSKEY_RP_ID',
          `Not set: passkeys are bound to ${domain}, and wallets are lost when ORIGIN’s host changes.`,
          `Set PASSKEY_RP_ID=${domain}, or the domain above it, before the first wallet is made. It can’t change afterwards.`,
        ),
      ]
    return [ok('PASSKEY_RP_ID', `Passkeys are bound to ${domain}, and work at ${pages}.`)]
  },
}
