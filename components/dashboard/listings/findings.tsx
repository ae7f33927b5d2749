import { Alert } from '@/components/ui/alert'
import { TextLink } from '@/components/ui/text-link'

export type Finding = { code: string; detail: string; severity: 'ERROR' | 'WARNING' }

/** The pages where findings can be resolved. */
const PAGES: Record<string, { href: string; label: string }> = {
  payout_address_missing: { href: '/dashboard/settings#payout', label: 'Set the payout address' },
  payout_contract_missing: { href: '/dashboard/settings#payout', label: 'Change the payout address' },
  card_account_missing: { href: '/dashboard/payments', label: 'Connect the card provider' },
  card_account_cannot_charge: { href: '/dashboard/payments', label: 'See what it asks for' },
}

/** Problems of a listing, each with a link to where it can be resolved. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null
  const bad = findings.some(({ severity }) => severity === 'ERROR')
  return (
    <Alert tone={bad ? 'danger' : 'warning'} title={bad ? 'Nobody can buy this yet' : 'Before it starts'}>
      <ul className="mt-1 grid gap-1.5">
        {findings.map(({ code, detail }) => {
          const way = PAGES[code]
          return (
            <li key={code}>
              {detail} {way && <TextLink href={way.href}>{way.label}</TextLink>}
            </li>
          )
        })}
      </ul>
    </Alert>
  )
}
