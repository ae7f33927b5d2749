import type { ReactElement, ReactNode } from 'react'
import { classes } from './classes'

/**
 * A table that becomes a list of cards with labelled lines on a phone. On wider screens the row header shrinks first,
 * other cells have a maximum width, and a table that is still too wide scrolls within its card. The roles are explicit
 * because changing `display` removes a table's own roles in some browsers. Give each Td the `label` of its column.
 */
export function Table({
  caption,
  children,
  className,
}: {
  caption: string
  children: ReactElement | readonly ReactElement[]
  className?: string
}) {
  return (
    <table
      role="table"
      className={classes('w-full border-collapse text-start text-sm max-sm:block max-sm:wrap-anywhere', className)}
    >
      <caption className="sr-only">{caption}</caption>
      {children}
    </table>
  )
}

export function Thead({ children }: { children: ReactNode }) {
  return (
    <thead role="rowgroup" className="max-sm:sr-only">
      <tr role="row">{children}</tr>
    </thead>
  )
}

export function Th({
  children,
  align = 'left',
  className,
}: {
  children?: ReactNode
  align?: 'left' | 'right'
  className?: string
}) {
  return (
    <th
      role="columnheader"
      scope="col"
      className={classes(
        'border-b bg-well/60 px-3 py-2.5 label-caps whitespace-nowrap text-muted first:ps-6 last:pe-6 lg:px-4 ' +
          'lg:first:ps-6 lg:last:pe-6',
        align === 'right' ? 'text-end' : 'text-start',
        className,
      )}
    >
      {children}
    </th>
  )
}

export function Tbody({ children }: { children: ReactNode }) {
  return (
    <tbody role="rowgroup" className="max-sm:grid max-sm:gap-3 max-sm:p-3">
      {children}
    </tbody>
  )
}

export function Tr({ children }: { children: ReactNode }) {
  return (
    <tr
      role="row"
      className={
        'border-b hover:bg-well/40 max-sm:grid max-sm:gap-1.5 max-sm:rounded-lg max-sm:border ' +
        'max-sm:p-4 sm:last:border-b-0'
      }
    >
      {children}
    </tr>
  )
}

export type TdProps = {
  children?: ReactNode
  /** The column's name, shown before the value on a phone. Omit it for the row header and for buttons. */
  label?: string
  align?: 'left' | 'right'
  /** Names the row for assistive technology: for the cell that identifies the row. */
  rowHeader?: boolean
  className?: string
}

export function Td({ children, label, align = 'left', rowHeader = false, className }: TdProps) {
  const Cell = rowHeader ? 'th' : 'td'
  return (
    <Cell
      role={rowHeader ? 'rowheader' : 'cell'}
      scope={rowHeader ? 'row' : undefined}
      className={classes(
        'px-3 py-3 align-middle font-normal first:ps-6 last:pe-6 lg:px-4 lg:first:ps-6 lg:last:pe-6',
        'max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-6 max-sm:!p-0',
        rowHeader
          ? 'text-start font-medium wrap-anywhere max-sm:text-base sm:min-w-44'
          : 'sm:max-w-88 sm:wrap-break-word',
        align === 'right' && 'sm:text-end',
        className,
      )}
    >
      {label && (
        <span aria-hidden="true" className="shrink-0 text-muted sm:hidden">
          {label}
        </span>
      )}
      <div className="contents">{children}</div>
    </Cell>
  )
}
