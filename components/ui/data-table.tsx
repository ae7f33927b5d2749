import type { ComponentType, ReactNode } from 'react'
import { Table, Tbody, Td, Th, Thead, Tr } from './table'

export type Column<Row> = {
  /** Heads the column; on a phone it stands before each value. */
  label: string
  cell: (row: Row) => ReactNode
  align?: 'left' | 'right'
  /** For buttons and links, which say what they do: only assistive technology has the label, and a phone shows none. */
  actions?: true
  /** A phone shows no label before its values. */
  unlabelled?: true
  /** A control in place of the label as heading. */
  heading?: ReactNode
  className?: string
}

type DataTableProps<Row> = {
  caption: string
  rows: readonly Row[]
  /** The first one names its row for assistive technology. */
  columns: readonly (Column<Row> | false | null)[]
  /** A column before the one that names the row. */
  lead?: Column<Row>
  as?: ComponentType<{ id: string; children: ReactNode }>
}

/** A table of columns, each with its heading and what it shows of a row. */
export function DataTable<Row extends { id: string }>({
  caption,
  rows,
  columns,
  lead,
  as: Line = Tr,
}: DataTableProps<Row>) {
  const [name, ...others] = columns.filter((column) => column !== false && column !== null)
  const shown = [lead, name, ...others].filter((column) => column !== undefined)
  return (
    <Table caption={caption}>
      <Thead>
        {shown.map(({ label, align, actions, heading = label }, at) => (
          <Th key={at} align={align}>
            {actions ? <span className="sr-only">{label}</span> : heading}
          </Th>
        ))}
      </Thead>
      <Tbody>
        {rows.map((row) => (
          <Line key={row.id} id={row.id}>
            {shown.map((column, at) => {
              const { label, cell, actions, unlabelled, align = actions && 'right', className } = column
              const isName = column === name
              return (
                <Td
                  key={at}
                  label={isName || actions || unlabelled ? undefined : label}
                  rowHeader={isName}
                  align={align}
                  className={className}
                >
                  {cell(row)}
                </Td>
              )
            })}
          </Line>
        ))}
      </Tbody>
    </Table>
  )
}
