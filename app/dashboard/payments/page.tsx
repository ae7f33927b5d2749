import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { CreditCard, RefreshCw } from 'lucide-react'
import { ActionForm, Submit } from '@/components/dashboard/forms/action-form'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { ModeBar } from '@/components/dashboard/shell/mode-bar'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { Alert } from '@/components/ui/alert'
import { StateBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { PageHeader } from '@/components/ui/page-header'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { getOrganization } from '@/lib/organizations/get-organization'
import { listIntegrations } from '@/lib/selling/payments/list-integrations'
import { connectAction, disconnectAction, goOnAction, refreshAction } from './actions'

export const metadata: Metadata = { title: 'Payments' }

type Integration = Awaited<ReturnType<typeof listIntegrations>>['results'][number]
type Mode = 'TEST' | 'LIVE'

const ABOUT = {
  TEST: 'For listings on test networks. Test cards stand in for real ones.',
  LIVE: 'For listings on real networks. Buyers’ cards are charged on your own account.',
} satisfies Record<Mode, string>

export default async function PaymentsPage({ searchParams }: PageProps<'/dashboard/payments'>) {
  const { returned, renew } = await searchParams
  const ctx = await dashboardContext()
  const [integrations, organization] = await Promise.all([listIntegrations(ctx, { limit: 100 }), getOrganization(ctx)])
  const networks = networkFacts(ctx)
  const modes = (['TEST', 'LIVE'] as const).filter((mode) =>
    networks.some(({ testnet }) => testnet === (mode === 'TEST')),
  )
  const mayWrite = may(ctx, 'payments:write')
  const pending = integrations.results.some(({ status, account_id }) => status === 'PENDING' && account_id !== null)
  const renewed = integrations.results.find(({ id, status }) => id === renew && status !== 'DISCONNECTED')
  return (
    <>
      {pending && <Refresh everySeconds={3} />}
      <PageHeader
        title="Payments"
        description="Card payments go to an account of your own at the card provider; crypto goes straight to your payout address. We never hold your money."
      />
      {renewed && (
        <Alert tone="warning" live title="The link to the card provider has expired.">
          Nothing is lost: press “Continue at the card provider” for a new one.
        </Alert>
      )}
      {pending && typeof returned === 'string' && (
        <Alert tone="info" live title="Thank you. The card provider is checking your details.">
          This takes from a few seconds to some minutes. The page updates automatically.
        </Alert>
      )}
      {modes.map((mode) => {
        const current = integrations.results.find((one) => one.mode === mode && one.status !== 'DISCONNECTED')
        return (
          <Card key={mode} title={mode === 'TEST' ? 'Cards, test' : 'Cards, live'} description={ABOUT[mode]}>
            <div className="grid gap-5">
              <ModeBar mode={mode} />
              {current ? (
                <Account integration={current} mayWrite={mayWrite} />
              ) : (
                <NotConnected mode={mode} mayWrite={mayWrite} />
              )}
            </div>
          </Card>
        )
      })}
      <Card
        title="Crypto"
        description="What buyers pay with their wallets arrives in the same transaction that mints the item."
      >
        <Facts>
          <Fact name="Payout address">
            {organization.payout_address ? (
              <span className="figures break-all">{organization.payout_address}</span>
            ) : (
              <span className="text-muted">Not set: nothing can be sold for crypto yet.</span>
            )}
          </Fact>
        </Facts>
        {organization.payout_warnings.length > 0 && (
          <Alert tone="warning" className="my-3">
            <ul className="grid gap-1">
              {organization.payout_warnings.map(({ network_id, listing_id, detail }) => (
                <li key={listing_id ?? network_id}>{detail}</li>
              ))}
            </ul>
          </Alert>
        )}
        <p className="mt-3 text-sm">
          <TextLink href="/dashboard/settings#payout">
            {organization.payout_address ? 'Change it in the settings' : 'Set it in the settings'}
          </TextLink>
        </p>
      </Card>
    </>
  )
}

function NotConnected({ mode, mayWrite }: { mode: Mode; mayWrite: boolean }) {
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">
        No account is connected: nothing can be sold for a card{' '}
        {mode === 'TEST' ? 'on test networks' : 'on real networks'} yet.
      </p>
      {mayWrite && (
        <ActionForm action={connectAction.bind(null, mode)}>
          <div>
            <Submit icon={<CreditCard aria-hidden="true" className="size-4" />}>Connect the card provider</Submit>
          </div>
        </ActionForm>
      )}
    </div>
  )
}

function Account({ integration, mayWrite }: { integration: Integration; mayWrite: boolean }) {
  const { id, mode, status, account_id, requirements } = integration
  const unfinished = status === 'PENDING' || status === 'RESTRICTED'
  return (
    <div className="grid gap-4">
      <Facts>
        <Fact name="State">{STATES[status]}</Fact>
        <Fact name="Provider">
          {integration.adapter === 'SANDBOX' ? 'Built in: nothing real is ever paid' : 'Stripe'}
        </Fact>
        {account_id && (
          <Fact name="Your account">
            <span className="flex items-center gap-1">
              <span className="figures break-all">{account_id}</span>
              <CopyButton text={account_id} label="Copy the account’s id" />
            </span>
          </Fact>
        )}
        <Fact name="Last checked">
          {integration.refreshed_at ? <RelativeTime at={integration.refreshed_at} /> : 'Never'}
        </Fact>
      </Facts>
      {unfinished && (
        <Alert
          tone={status === 'PENDING' ? 'info' : 'warning'}
          title={status === 'PENDING' ? 'Not finished yet' : 'The card provider has stopped payments to this account'}
        >
          {requirements.length > 0 ? (
            <>
              It still asks for:
              <ul className="mt-1 list-disc pl-5">
                {requirements.map((requirement) => (
                  <li key={requirement} className="wrap-anywhere">
                    {worded(requirement)}
                  </li>
                ))}
              </ul>
            </>
          ) : (
            'Nothing more is needed for now. The card provider is checking your details.'
          )}
        </Alert>
      )}
      {mayWrite && (
        <div className="flex flex-wrap gap-2">
          {unfinished && (
            <ActionForm action={goOnAction.bind(null, id)}>
              <Submit icon={<CreditCard aria-hidden="true" className="size-4" />}>Continue at the card provider</Submit>
            </ActionForm>
          )}
          <ActionForm action={refreshAction.bind(null, id)}>
            <Submit variant="secondary" icon={<RefreshCw aria-hidden="true" className="size-4" />}>
              Check again
            </Submit>
          </ActionForm>
          <ConfirmAction
            action={disconnectAction.bind(null, id)}
            trigger={<Button variant="danger">Disconnect</Button>}
            title={`Disconnect the ${mode.toLowerCase()} account?`}
            description="Nobody can pay by card from then on, and refunds of earlier purchases can be made at the card provider only. The account itself stays yours."
            confirm="Disconnect it"
            type={account_id ?? mode}
          />
        </div>
      )}
    </div>
  )
}

const STATES = {
  PENDING: <StateBadge state="PENDING" label="Being set up" />,
  ACTIVE: <StateBadge state="ACTIVE" label="Takes payments" />,
  RESTRICTED: <StateBadge state="UNRESOLVED" label="Restricted" />,
  DISCONNECTED: <StateBadge state="CANCELLED" label="Disconnected" />,
} satisfies Record<Integration['status'], ReactNode>

/** `individual.id_number` as readable text. */
const worded = (requirement: string): string => {
  const words = requirement.replaceAll(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
