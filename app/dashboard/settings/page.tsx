import type { Metadata } from 'next'
import { EmbeddingCard, PayoutCard } from '@/components/dashboard/listings/selling-settings'
import { OidcRolesCard } from '@/components/dashboard/members/oidc-roles-card'
import { PasskeysCard } from '@/components/dashboard/passkeys/passkeys-card'
import { LookForm } from '@/components/dashboard/settings/look-form'
import { DomainCard, ProfileCard } from '@/components/dashboard/settings/seller-settings'
import { TransferBudgetsCard } from '@/components/dashboard/settings/transfer-budgets-card'
import { SettingsTabs } from '@/components/dashboard/shell/settings-tabs'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { PageHeader } from '@/components/ui/page-header'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { mapsOidcRoles } from '@/lib/platform/auth/oidc'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { getMe } from '@/lib/organizations/get-me'
import { listTransferBudgets } from '@/lib/orders/list-transfer-budgets'
import {
  setDomainAction,
  setEmbeddingAction,
  setLookAction,
  setOidcRolesAction,
  setPasskeysAction,
  setPayoutAction,
  setProfileAction,
  setTransferBudgetAction,
} from './actions'

export const metadata: Metadata = { title: 'Settings' }

const ROLES = { OWNER: 'Owner', ADMIN: 'Administrator', EDITOR: 'Editor', VIEWER: 'Viewer' } as const

export default async function SettingsPage() {
  const ctx = await dashboardContext()
  const [{ organization, user }, { results: budgets }] = await Promise.all([getMe(ctx), listTransferBudgets(ctx)])
  const networks = networkFacts(ctx)
  const { publicBase, adminBase } = ctx.ports.addresses
  const mayWrite = may(ctx, 'organizations:write')
  return (
    <>
      <PageHeader title="Settings" />
      <SettingsTabs />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title="Organization">
          <Facts>
            <Fact name="Id">
              <span className="flex items-center gap-1">
                <span className="figures break-all">{organization.id}</span>
                <CopyButton text={organization.id} label="Copy the organization’s id" />
              </span>
            </Fact>
            <Fact name="Since">
              <Time at={organization.created_at} />
            </Fact>
          </Facts>
        </Card>
        {user && (
          <Card title="You">
            <Facts>
              <Fact name="Email">{user.email}</Fact>
              <Fact name="Role">{ROLES[user.role]}</Fact>
            </Facts>
          </Card>
        )}
        <ProfileCard action={setProfileAction} profile={organization} mayWrite={mayWrite} />
        {mayWrite && (
          <div id="look" className="scroll-mt-24">
            <Card
              title="Look"
              description="For your pages and for emails from built-in templates or blocks. Templates written as code keep their own look."
            >
              <LookForm action={setLookAction} look={organization.brand} />
            </Card>
          </div>
        )}
        <DomainCard action={setDomainAction} domain={organization.web_domain} mayWrite={mayWrite} />
        <PayoutCard action={setPayoutAction} organization={organization} mayWrite={mayWrite} />
        <TransferBudgetsCard
          actionOf={(networkId) => setTransferBudgetAction.bind(null, networkId)}
          budgets={budgets}
          networks={networks}
          mayWrite={mayWrite}
        />
        <PasskeysCard
          action={setPasskeysAction}
          required={organization.requires_passkeys}
          isOwner={user?.role === 'OWNER'}
        />
        {mapsOidcRoles() && (
          <OidcRolesCard
            action={setOidcRolesAction}
            follows={organization.follows_oidc_roles}
            isOwner={user?.role === 'OWNER'}
          />
        )}
        <EmbeddingCard action={setEmbeddingAction} origins={organization.embed_origins} mayWrite={mayWrite} />
        <Card title="Networks" description="Where collections of this installation can be deployed.">
          <Facts>
            {networks.map(({ id, name, testnet }) => (
              <Fact
                key={id}
                name={
                  <span className="flex items-center gap-2 text-ink">
                    {name} {testnet && <Badge>Testnet</Badge>}
                  </span>
                }
              >
                <span className="figures">{id}</span>
              </Fact>
            ))}
          </Facts>
        </Card>
        <Card
          title="For programs"
          description={
            <>
              Read the <TextLink href="/docs">documentation</TextLink>, and make a{' '}
              <TextLink href="/dashboard/api-keys">key</TextLink>.
            </>
          }
        >
          <Facts>
            <Fact name="Public API">
              <span className="figures break-all">{publicBase}</span>
            </Fact>
            <Fact name="Administrative API">
              <span className="figures break-all">{adminBase}</span>
            </Fact>
          </Facts>
        </Card>
      </div>
    </>
  )
}
