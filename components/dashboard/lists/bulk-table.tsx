import type { ReactNode } from 'react'
import { Card } from '@/components/ui/card'
import { type Column, DataTable } from '@/components/ui/data-table'
import { BulkAll, BulkCheck, BulkList, type BulkRow, BulkTr } from './bulk-list'
import type { Noun } from './counted'

type BulkTableProps<Row> = {
  caption: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  noun: Noun
  /** Heads the checkboxes. */
  choose: string
  /** A row's name, that of its checkbox where it differs, and the verbs of the actions that can be run on it. */
  choiceOf: (row: Row) => Omit<BulkRow, 'id'> & { label?: string }
  /** Falsy: the member may run none. */
  actions: ReactNode
}

/** A table in a card. Where an action can be run on any of its rows, these can be chosen. */
export function BulkTable<Row extends { id: string }>(props: BulkTableProps<Row>) {
  const { rows, noun, choose, choiceOf, actions, ...table } = props
  const choices = rows.map((row) => {
    const { name, can } = choiceOf(row)
    return { id: row.id, name, can }
  })
  if (!actions || choices.every(({ can }) => can.length === 0))
    return (
      <Card flush>
        <DataTable rows={rows} {...table} />
      </Card>
    )
  const lead: Column<Row> = {
    label: choose,
    heading: <BulkAll />,
    cell: (row) => {
      const { name, label = name } = choiceOf(row)
      return <BulkCheck id={row.id} name={label} />
    },
  }
  return (
    <BulkList rows={choices} noun={noun} actions={actions}>
      <Card flush>
        <DataTable rows={rows} {...table} lead={lead} as={BulkTr} />
      </Card>
    </BulkList>
  )
}
