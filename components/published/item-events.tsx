import { ChainLink } from '@/components/ui/chain-link'
import { EmptyState } from '@/components/ui/empty-state'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { listHistory } from '@/lib/platform/api/history'

type Entry = Answer<typeof listHistory>['results'][number]

const EVENTS = { MINT: 'Made', TRANSFER: 'Transferred', BURN: 'Destroyed' } as const

/** What happened to an item on the chain, newest first. */
export function ItemEvents({ entries, explorerUrl }: { entries: readonly Entry[]; explorerUrl: string | null }) {
  if (entries.length === 0)
    return <EmptyState title="Nothing yet">What happens to it on the chain is listed here.</EmptyState>
  return (
    <Table caption="History on the chain">
      <Thead>
        <Th>Event</Th>
        <Th>To</Th>
        <Th>When</Th>
        <Th>Transaction</Th>
      </Thead>
      <Tbody>
        {entries.map(({ type, quantity, timestamp, data }) => (
          <Tr key={`${data.transaction.tx_hash} ${data.transaction.log_index} ${data.to.address}`}>
            <Td rowHeader>
              {EVENTS[type]}
              {Number(quantity) > 1 && ` × ${quantity}`}
            </Td>
            <Td label="To" className="max-sm:flex-wrap">
              {type === 'BURN' ? <span className="text-muted">Nobody</span> : <Holder address={data.to.address} />}
            </Td>
            <Td label="When" className="max-sm:flex-wrap">
              <Time at={timestamp} />
            </Td>
            <Td label="Transaction" className="max-sm:flex-wrap">
              <ChainLink value={data.transaction.tx_hash} kind="tx" explorerUrl={explorerUrl} />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  )
}

/** An address that leads to what it owns. */
export function Holder({ address }: { address: string }) {
  return (
    <TextLink href={`/o/${address}`}>
      <span className="figures" title={address}>
        <span aria-hidden="true">{`${address.slice(0, 6)}…${address.slice(-4)}`}</span>
        <span className="sr-only">{address}</span>
      </span>
    </TextLink>
  )
}
