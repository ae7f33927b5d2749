import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { recordsFor, senderDomain } from './email-records'

/** The sender's DNS records, ready to be copied. */
export function EmailDns({ integration }: { integration: Parameters<typeof recordsFor>[0] }) {
  return (
    <Card
      flush
      title="So that your mail isn’t marked as spam"
      description={`Add these three DNS records to ${senderDomain(integration)}. There may be one SPF record only: if the domain has one, add the middle part of ours to it.`}
    >
      <Table caption="DNS records">
        <Thead>
          <Th>Record</Th>
          <Th>Name</Th>
          <Th>Value</Th>
        </Thead>
        <Tbody>
          {recordsFor(integration).map(({ purpose, type, name, value, note }) => (
            <Tr key={purpose}>
              <Td rowHeader>
                <span className="sm:whitespace-nowrap">
                  {purpose} <span className="font-normal text-muted">{type}</span>
                </span>
              </Td>
              <Td label="Name">
                <span className="flex items-center gap-1">
                  <span className="figures break-all">{name}</span>
                  {value !== null && <CopyButton text={name} label={`Copy the name of the ${purpose} record`} />}
                </span>
              </Td>
              <Td label="Value">
                <span className="grid gap-1">
                  {value !== null && (
                    <span className="flex items-center gap-1">
                      <span className="figures break-all">{value}</span>
                      <CopyButton text={value} label={`Copy the value of the ${purpose} record`} />
                    </span>
                  )}
                  <span className="text-muted">{note}</span>
                </span>
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </Card>
  )
}
