import type { Metadata } from 'next'
import { PageHeader } from '@/components/ui/page-header'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { endpoints } from '@/lib/platform/api/index'
import { ERRORS } from '@/lib/core/errors'

export const metadata: Metadata = { title: 'Errors' }

const codes = Object.entries(ERRORS)
  .map(([code, [status, title]]) => ({
    code,
    status,
    title,
    operations: endpoints.filter((endpoint) => endpoint.errors?.some((error) => error === code)),
  }))
  .sort((a, b) => a.status - b.status || a.code.localeCompare(b.code))

export default function ErrorsPage() {
  return (
    <main className="mx-auto grid w-full max-w-4xl gap-7 px-5 py-10 sm:px-8">
      <PageHeader
        back={{ href: '/docs', label: 'API reference' }}
        title="Errors"
        description={
          <>
            Every failure is <code className="figures">application/problem+json</code>. Its{' '}
            <code className="figures">type</code> leads to a line of this page, its{' '}
            <code className="figures">code</code> never changes its meaning, its <code className="figures">detail</code>{' '}
            is written for people, and its <code className="figures">errors</code> name each field. Quote the{' '}
            <code className="figures">request_id</code> when you ask for help.
          </>
        }
      />
      <div className="overflow-hidden rounded-lg border bg-pane">
        <Table caption="Error codes">
          <Thead>
            <Th>Status</Th>
            <Th>Code</Th>
            <Th>Meaning</Th>
            <Th>Besides everywhere, on</Th>
          </Thead>
          <Tbody>
            {codes.map(({ code, status, title, operations }) => (
              <Tr key={code} className="target:bg-glass-soft" id={code}>
                <Td label="Status">
                  <span className="figures">{status}</span>
                </Td>
                <Td rowHeader>
                  <TextLink href={`#${code}`} className="figures">
                    {code}
                  </TextLink>
                </Td>
                <Td label="Meaning">{title}</Td>
                <Td className="text-muted">{operations.map((endpoint) => endpoint.summary).join(', ')}</Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </div>
    </main>
  )
}
