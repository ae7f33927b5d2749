import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { ImportForm } from '@/components/dashboard/imports/import-form'
import type { ImportKind } from '@/components/dashboard/imports/import-labels'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCampaignChoices } from '@/lib/messaging/campaigns/list-campaign-choices'
import { listCollectionChoices } from '@/lib/catalog/collections/list-collection-choices'
import { listEditionsAction } from '../actions'
import { listEditions } from '../list-editions'

export const generateMetadata = titled('dashboard.imports', 'list.new')

const path = '/dashboard/imports'

export default async function NewImportPage({ searchParams }: PageProps<'/dashboard/imports/new'>) {
  const [ctx, t] = await Promise.all([dashboardContext(), getTranslations('dashboard.imports')])
  const { kind, collection_id } = await searchParams
  const kinds: ImportKind[] = [
    ...(may(ctx, 'items:write') ? ['ITEMS' as const] : []),
    ...(may(ctx, 'email_claims:write') ? ['EMAIL_CLAIMS' as const] : []),
  ]
  const [first] = kinds
  if (!may(ctx, 'imports:write') || !first) redirect(path)
  const choices = listCollectionChoices(ctx)
  const [collections, campaigns] = await Promise.all([
    choices,
    may(ctx, 'campaigns:read') ? listCampaignChoices(ctx, { limit: 100 }) : [],
  ])
  const deployed = collections.filter(({ deployment }) => deployment?.status === 'SUCCESS')
  const collectionId = typeof collection_id === 'string' ? collection_id : (collections[0]?.id ?? '')
  const chosen = deployed.some(({ id }) => id === collectionId) ? collectionId : null
  const editions = await listEditions(ctx, chosen, choices)
  const wanted = kinds.find((one) => one === kind) ?? first
  return (
    <>
      <PageHeader back={{ href: path, label: t('title') }} title={t('list.new')} description={t('new.description')} />
      {collections.length > 0 ? (
        <ImportForm
          kinds={kinds}
          kind={wanted}
          collections={collections.map(named)}
          deployed={deployed.map(named)}
          editions={editions}
          editionsAction={listEditionsAction}
          campaigns={campaigns}
          collectionId={collectionId}
          cancel={path}
        />
      ) : (
        <Card>
          <EmptyState
            title={t('new.noneTitle')}
            action={<LinkButton href="/dashboard/collections/new">{t('new.collectionFirst')}</LinkButton>}
          >
            {t('new.none')}
          </EmptyState>
        </Card>
      )}
    </>
  )
}

const named = ({ id, name }: { id: string; name: string }) => ({ id, name })
