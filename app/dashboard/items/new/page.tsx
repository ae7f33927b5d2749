import type { Metadata } from 'next'
import { ItemForm } from '@/components/dashboard/items/item-form'
import { Alert } from '@/components/ui/alert'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { TextLink } from '@/components/ui/text-link'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { isUuid } from '@/lib/core/id'
import { createItemAction } from '../actions'
import { collectionChoices } from '../collection-choices'

export const metadata: Metadata = { title: 'New item' }

export default async function NewItemPage({ searchParams }: PageProps<'/dashboard/items/new'>) {
  const { collection_id, made } = await searchParams
  const collections = await collectionChoices(await dashboardContext())
  const chosen = collections.find(({ id }) => id === collection_id) ?? collections[0]
  return (
    <>
      <PageHeader back={{ href: '/dashboard/items', label: 'Items' }} title="New item" />
      {typeof made === 'string' && isUuid(made) && (
        <Alert tone="positive" live>
          The item is created. <TextLink href={`/dashboard/items/${made}`}>Show it</TextLink>
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
            title="An item needs a collection"
            action={
              <LinkButton href="/dashboard/collections/new" variant="primary">
                Create a collection
              </LinkButton>
            }
          >
            Items of a collection share a contract. Create the collection first: all it needs is a name.
          </EmptyState>
        </Card>
      )}
    </>
  )
}
