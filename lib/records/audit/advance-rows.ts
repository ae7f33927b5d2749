import { AppError } from '../../core/errors.ts'
import type { StatementContext } from '../../platform/auth/context.ts'
import { type Audited, recordAudits } from './record-audit.ts'

/** The states of one kind of row, and which may follow each. */
export type StateTable<S extends string> = {
  /** What errors call a row. */
  noun: string
  /** What the audit log calls a step: `*` stands for the new state. */
  action: string
  /** What the audit log calls a row, and the column of its state. */
  subject: string
  column: string
  next: Readonly<Record<S, readonly S[]>>
}

export const stateTable = <S extends string>(
  noun: string,
  action: string,
  next: StateTable<S>['next'],
): StateTable<S> => ({ noun, action, subject: action.split('.')[0]!, column: 'state', next })

type Row<S extends string> = { id: string; state: S }

/** Throws `conflict` where a row in state `from` can't become `to`. */
export function assertNext<S extends string>({ noun, next }: StateTable<S>, from: S, to: S): void {
  if (!next[from].includes(to))
    throw new AppError('conflict', `${/^[aeiou]/.test(noun) ? 'An' : 'A'} ${noun} that is ${from} can't become ${to}.`)
}

export const changedMeanwhile = ({ noun }: { noun: string }): AppError =>
  new AppError('conflict', `The ${noun} changed meanwhile.`)

/**
 * Moves rows one step, and records it. `write` changes those that are still in the state in which they were read; of
 * two callers racing one gets `conflict`. Returns what `write` does. `factsOf`: what the audit log says beside the new
 * state.
 */
export async function advanceRows<S extends string, R extends Row<S>, W extends { count: number } | readonly unknown[]>(
  tx: StatementContext,
  table: StateTable<S>,
  rows: readonly R[],
  to: S,
  write: () => Promise<W>,
  factsOf?: (row: R) => object,
): Promise<W> {
  for (const { state } of rows) assertNext(table, state, to)
  const written = await write()
  if (('count' in written ? written.count : written.length) !== rows.length) throw changedMeanwhile(table)
  await recordAudits(
    tx,
    rows.map((row) => stepOf(table, row, to, factsOf?.(row))),
  )
  return written
}

/** What the audit log says of a step. */
export const stepOf = <S extends string>(
  { subject, action, column }: StateTable<S>,
  { id, state }: Row<S>,
  to: S,
  facts: object = {},
): Audited => ({
  action: action.replace('*', to.toLowerCase()),
  subject: { type: subject, id },
  before: { [column]: state },
  after: { [column]: to, ...facts },
})
