import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
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
import { Sentence } from '@/components/ui/sentence'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import { shownEmail } from '@/lib/core/shown-email'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { mapsOidcRoles } from '@/lib/platform/auth/oidc'
import { findStoppedListings, findVoucherListings } from '@/lib/offers/listings/find-voucher-listings'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { getMe } from '@/lib/organizations/get-me'
import { listTransferBudgets } from '@/lib/orders/list-transfer-budgets'
import {
  resumeStoppedAction,
  setDomainAction,
  setEmbeddingAction,
  setLookAction,
  setOidcRolesAction,
  setPasskeysAction,
  setPayoutAction,
  setProfileAction,
  setTransferBudgetAction,
} from './actions'
import { openedBudget } from './opened-budget'
import { openedOrganization } from './opened-organization'

export const generateMetadata = titled('dashboard.settings', 'title')

export default async function SettingsPage() {
  const ctx = await dashboardContext()
  const [{ organization, user }, { results: budgets }, selling, stopped] = await Promise.all([
    getMe(ctx),
    listTransferBudgets(ctx),
    findVoucherListings(ctx),
    findStoppedListings(ctx),
  ])
  const [t, tRoles] = await Promise.all([
    getTranslations('dashboard.settings'),
    getTranslations('dashboard.common.roles'),
  ])
  const networks = networkFacts(ctx)
  const { publicBase, adminBase } = ctx.ports.addresses
  const mayWrite = may(ctx, 'organizations:write')
  const opened = openedOrganization(organization)
  return (
    <>
      <PageHeader title={t('title')} />
      <SettingsTabs />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title={t('organization')}>
          <Facts>
            <Fact name={t('id')}>
              <span className="flex items-center gap-1">
                <span className="figures break-all">{organization.id}</span>
                <CopyButton text={organization.id} label={t('copyId')} />
              </span>
            </Fact>
            <Fact name={t('since')}>
              <Time at={organization.created_at} />
            </Fact>
          </Facts>
        </Card>
        {user && (
          <Card title={t('you')}>
            <Facts>
              <Fact name={t('email')}>{shownEmail(user.email)}</Fact>
              <Fact name={t('role')}>{tRoles(user.role)}</Fact>
            </Facts>
          </Card>
        )}
        <ProfileCard action={setProfileAction} opened={opened} profile={organization} mayWrite={mayWrite} />
        {mayWrite && (
          <div id="look" className="scroll-mt-24">
            <Card title={t('look.title')} description={t('look.lead')}>
              <LookForm action={setLookAction} opened={opened} look={organization.brand} />
            </Card>
          </div>
        )}
        <DomainCard action={setDomainAction} opened={opened} domain={organization.web_domain} mayWrite={mayWrite} />
        <PayoutCard
          action={setPayoutAction}
          opened={opened}
          resume={resumeStoppedAction}
          organization={organization}
          selling={selling}
          stopped={stopped}
          mayWrite={mayWrite}
        />
        <TransferBudgetsCard
          actionOf={(networkId) => setTransferBudgetAction.bind(null, networkId)}
          budgets={budgets.map((budget) => ({ ...budget, opened: openedBudget(budget) }))}
          networks={networks}
          mayWrite={mayWrite}
        />
        <PasskeysCard
          action={setPasskeysAction}
          opened={opened}
          required={organization.requires_passkeys}
          isOwner={user?.role === 'OWNER'}
        />
        {mapsOidcRoles() && (
          <OidcRolesCard
            action={setOidcRolesAction}
            opened={opened}
            follows={organization.follows_oidc_roles}
            isOwner={user?.role === 'OWNER'}
          />
        )}
        <EmbeddingCard
          action={setEmbeddingAction}
          opened={opened}
          origins={organization.embed_origins}
          mayWrite={mayWrite}
        />
        <Card title={t('networks')} description={t('networksLead')}>
          <Facts>
            {networks.map(({ id, name, testnet }) => (
              <Fact
                key={id}
                name={
                  <span className="flex items-center gap-2 text-ink">
                    <span>{name}</span>
                    {testnet && <Badge>{t('testnet')}</Badge>}
                  </span>
                }
              >
                <span className="figures">{id}</span>
              </Fact>
            ))}
          </Facts>
        </Card>
        <Card
          title={t('programs')}
          description={
            <Sentence>
              {t.rich('programsLead', {
                docs: (text) => <TextLink href="/docs">{text}</TextLink>,
                key: (text) => <TextLink href="/dashboard/api-keys">{text}</TextLink>,
              })}
            </Sentence>
          }
        >
          <Facts>
            <Fact name={t('publicApi')}>
              <span className="figures break-all">{publicBase}</span>
            </Fact>
            <Fact name={t('adminApi')}>
              <span className="figures break-all">{adminBase}</span>
            </Fact>
          </Facts>
        </Card>
      </div>
    </>
  )
}
