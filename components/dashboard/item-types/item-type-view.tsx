import { useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { allowsOthers, fieldsOf, type Schema } from './schema'
import { writeSchema } from './schema-builder'

/** A read-only item type: its attributes, and its schema as text. */
export function ItemTypeView({ schema }: { schema: Schema }) {
  const t = useTranslations('dashboard.itemTypes')
  const fields = fieldsOf(schema)
  return (
    <>
      <Card
        title={t('columns.attributes')}
        description={allowsOthers(schema) ? t('view.othersToo') : t('view.noOthers')}
        flush={fields.length > 0}
      >
        {fields.length === 0 ? (
          <p className="text-sm text-muted">{t('view.nothing')}</p>
        ) : (
          <Table caption={t('columns.attributes')}>
            <Thead>
              <Th>{t('columns.name')}</Th>
              <Th>{t('view.label')}</Th>
              <Th>{t('view.kind')}</Th>
              <Th>{t('view.required')}</Th>
            </Thead>
            <Tbody>
              {fields.map(({ name, label, kind, required }) => (
                <Tr key={name}>
                  <Td rowHeader>
                    <span className="figures wrap-anywhere">{name}</span>
                  </Td>
                  <Td label={t('view.label')}>
                    <span className="wrap-anywhere">{label}</span>
                  </Td>
                  <Td label={t('view.kind')}>{kind === 'json' ? t('view.json') : t(`kinds.${kind}`)}</Td>
                  <Td label={t('view.required')}>
                    {required ? <Badge tone="info">{t('view.required')}</Badge> : t('view.no')}
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        )}
      </Card>
      <Card title={t('builder.schema')}>
        <pre
          tabIndex={0}
          role="region"
          aria-label={t('builder.schema')}
          className="figures max-h-96 overflow-auto rounded-md bg-well p-4 text-sm"
        >
          {writeSchema(schema)}
        </pre>
      </Card>
    </>
  )
}
