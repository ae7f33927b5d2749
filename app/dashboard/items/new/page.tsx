import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { ItemForm } from '@/components/dashboard/items/item-form'
import { Alert } from '@/components/ui/alert'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { TextLink } from '@/components/ui/text-link'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { isUuid } from '@/lib/core/id'
import { createItemAction } from '../actions'
import { collectionChoices } from '../collection-choices'

export const generateMetadata = titled('dashboard.items', 'new')

export default async function NewItemPage({ searchParams }: PageProps<'/dashboard/items/new'>) {
  const t = await getTranslations('dashboard.items')
  const { collection_id, made } = await searchParams
  const collections = await collectionChoices(await dashboardContext())
  const chosen = collections.find(({ id }) => id === collection_id) ?? collections[0]
  return (
    <>
      <PageHeader back={{ href: '/dashboard/items', label: t('title') }} title={t('new')} />
      {typeof made === 'string' && isUuid(made) && (
        <Alert tone="positive" live>
          <span>{t('made')}</span> <TextLink href={`/dashboard/items/${made}`}>{t('showIt')}</TextLink>
        </Alert>
      )}
      {chosen ? (
        <ItemForm
          key={String(made)}
          action={createItemAction}
          collections={collections}
          collectionId={chosen.id}
          cancel="/dashboard/items"
        />
      ) : (
        <Card>
          <EmptyState
            title={t('needsCollection.title')}
            action={
              <LinkButton href="/dashboard/collections/new" variant="primary">
                {t('needsCollection.create')}
              </LinkButton>
            }
          >
            {t('needsCollection.text')}
          </EmptyState>
        </Card>
      )}
    </>
  )
}
