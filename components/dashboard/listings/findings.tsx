import { useLocale, useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { TextLink } from '@/components/ui/text-link'

export type Finding = { code: string; detail: string; severity: 'ERROR' | 'WARNING' }

/** The pages where findings can be resolved. */
const PAGES = {
  payout_address_missing: '/dashboard/settings#payout',
  payout_contract_missing: '/dashboard/settings#payout',
  card_account_missing: '/dashboard/payments',
  card_account_cannot_charge: '/dashboard/payments',
} as const
const isResolvable = (code: string): code is keyof typeof PAGES => Object.hasOwn(PAGES, code)

const OTHERS = ['gas_low', 'network_unreachable'] as const
const isKnown = (code: string): code is keyof typeof PAGES | (typeof OTHERS)[number] =>
  isResolvable(code) || (OTHERS as readonly string[]).includes(code)

/** Problems of a listing, each with a link to where it can be resolved. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const t = useTranslations('dashboard.listings.findings')
  const locale = useLocale()
  if (findings.length === 0) return null
  // The detail is in English, and says more than the code alone.
  const says = ({ code, detail }: Finding) => (isKnown(code) && locale !== 'en' ? t(`texts.${code}`) : detail)
  const bad = findings.some(({ severity }) => severity === 'ERROR')
  return (
    <Alert tone={bad ? 'danger' : 'warning'} title={bad ? t('blocked') : t('warning')}>
      <ul className="mt-1 grid gap-1.5">
        {findings.map((finding) => {
          const { code } = finding
          return (
            <li key={code}>
              <span>{`${says(finding)} `}</span>
              {isResolvable(code) && <TextLink href={PAGES[code]}>{t(`ways.${code}`)}</TextLink>}
            </li>
          )
        })}
      </ul>
    </Alert>
  )
}
