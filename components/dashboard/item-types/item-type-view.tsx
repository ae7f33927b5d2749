import { useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { DataTable } from '@/components/ui/data-table'
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
          <DataTable
            caption={t('columns.attributes')}
            rows={fields.map((field) => ({ ...field, id: field.name }))}
            columns={[
              { label: t('columns.name'), cell: ({ name }) => <span className="figures wrap-anywhere">{name}</span> },
              { label: t('view.label'), cell: ({ label }) => <span className="wrap-anywhere">{label}</span> },
              { label: t('view.kind'), cell: ({ kind }) => (kind === 'json' ? t('view.json') : t(`kinds.${kind}`)) },
              {
                label: t('view.required'),
                cell: ({ required }) => (required ? <Badge tone="info">{t('view.required')}</Badge> : t('view.no')),
              },
            ]}
          />
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
