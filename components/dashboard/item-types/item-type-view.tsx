import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { allowsOthers, fieldsOf, type Schema } from './schema'
import { KINDS, writeSchema } from './schema-builder'

/** A read-only item type: its attributes, and its schema as text. */
export function ItemTypeView({ schema }: { schema: Schema }) {
  const fields = fieldsOf(schema)
  return (
    <>
      <Card
        title="Attributes"
        description={allowsOthers(schema) ? 'Items may have others, too.' : 'Others are refused.'}
        flush={fields.length > 0}
      >
        {fields.length === 0 ? (
          <p className="text-sm text-muted">It asks for nothing besides a title.</p>
        ) : (
          <Table caption="Attributes">
            <Thead>
              <Th>Name</Th>
              <Th>Label</Th>
              <Th>Kind</Th>
              <Th>Required</Th>
            </Thead>
            <Tbody>
              {fields.map(({ name, label, kind, required }) => (
                <Tr key={name}>
                  <Td rowHeader>
                    <span className="figures wrap-anywhere">{name}</span>
                  </Td>
                  <Td label="Label">
                    <span className="wrap-anywhere">{label}</span>
                  </Td>
                  <Td label="Kind">{kind === 'json' ? 'As its JSON says' : KINDS[kind]}</Td>
                  <Td label="Required">{required ? <Badge tone="info">Required</Badge> : 'No'}</Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        )}
      </Card>
      <Card title="JSON Schema">
        <pre
          tabIndex={0}
          role="region"
          aria-label="JSON Schema"
          className="figures max-h-96 overflow-auto rounded-md bg-well p-4 text-sm"
        >
          {writeSchema(schema)}
        </pre>
      </Card>
    </>
  )
}
