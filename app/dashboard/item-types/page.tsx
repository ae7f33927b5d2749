import type { Metadata } from 'next'
import { Plus } from 'lucide-react'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { fieldsOf } from '@/components/dashboard/item-types/schema'
import { Badge } from '@/components/ui/badge'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import * as api from '@/lib/platform/api/item-types'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { readQuery } from '@/lib/platform/http/page-query'
import { listItemTypes } from '@/lib/catalog/item-types/list-item-types'

export const metadata: Metadata = { title: 'Item types' }

const path = '/dashboard/item-types'

export default async function ItemTypesPage({ searchParams }: PageProps<'/dashboard/item-types'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listItemTypes.query, await searchParams)
  const types = await listItemTypes(ctx, { ...query, limit: Math.min(query.limit, 25) })
  const make = may(ctx, 'item_types:write') && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
      New item type
    </LinkButton>
  )
  return (
    <ListPage
      path={path}
      title="Item types"
      description="Item types define which attributes items have. Choose one for a collection, and the form of its items asks for these attributes."
      actions={make}
      noun={['item type', 'item types']}
      page={types}
      cursor={query.cursor}
      empty={{
        title: 'No item types yet',
        action: make,
        children:
          'Without one, an item has a title, a description, a picture and any attributes you add. Create a type when all items need the same attributes.',
      }}
    >
      <Card flush>
        <Table caption="Item types">
          <Thead>
            <Th>Name</Th>
            <Th>Attributes</Th>
            <Th>Use</Th>
            <Th>Made</Th>
          </Thead>
          <Tbody>
            {types.results.map((type) => (
              <Tr key={type.id}>
                <Td rowHeader>
                  <TextLink href={`${path}/${type.id}`}>
                    <span className="wrap-anywhere">{type.name}</span>
                  </TextLink>
                </Td>
                <Td label="Attributes">
                  <span className="wrap-anywhere text-muted">
                    {fieldsOf(type.schema)
                      .map(({ name }) => name)
                      .join(', ') || 'Any'}
                  </span>
                </Td>
                <Td label="Use">{type.in_use ? <Badge tone="positive">In use</Badge> : <Badge>Not used yet</Badge>}</Td>
                <Td label="Made">
                  <Time at={type.created_at} />
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </Card>
    </ListPage>
  )
}
