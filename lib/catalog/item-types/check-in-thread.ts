import type { FieldError } from '../../core/errors.ts'
import { limitedThread, type Outcome, type Owner } from '../../platform/threads/limited-thread.ts'
import type { Faults, Schema } from './compile-schema.ts'
import type { Reply, Row, Task } from './schema-thread.ts'

const ROW_MS = 250
/** Compiling a schema is no row's fault. */
const COMPILE_MS = 2_000
/** Rows that the thread is given at once. It tells earlier of those that are done. */
const ROWS_AT_ONCE = 50

type Result<K extends Reply['kind']> = Extract<Reply, { kind: K }>

const thread = limitedThread<Task, Reply>('schema thread', {
  file: 'lib/catalog/item-types/schema-thread.ts',
  memoryMb: 64,
  tooMany: 'Too many slow checks of this organization’s item types wait.',
})

/** A schema's faults by its draft; null where finding them takes too long. */
export async function schemaFaultsInThread(owner: Owner, schema: Schema): Promise<FieldError[] | null> {
  const { reply } = await thread.inTurn(owner, () =>
    thread.carryOut<Result<'schema'>>({ kind: 'schema', schema }, COMPILE_MS),
  )
  return reply?.faults ?? null
}

/**
 * The faults of the first rows, until `budget` is used up; null for a row that takes more than 250 ms or too much
 * memory. The processor time is taken from `budget`.
 */
export async function faultsInThread(
  owner: Owner,
  schema: { key: string; schema: Schema },
  rows: readonly Row[],
  budget: { ms: number },
): Promise<(Faults | null)[]> {
  const found: (Faults | null)[] = []
  let atOnce = ROWS_AT_ONCE
  while (found.length < rows.length && budget.ms > 0) {
    const next = rows.slice(found.length, found.length + atOnce)
    const { reply, ms } = await thread.inTurn(owner, () => checkRows(schema, next))
    budget.ms -= ms
    if (reply) found.push(...reply.faults)
    else if (next.length === 1) found.push(null)
    // One of them is slow: each is given alone.
    atOnce = reply && atOnce > 1 ? ROWS_AT_ONCE : 1
  }
  return found
}

async function checkRows(
  { key, schema }: { key: string; schema: Schema },
  rows: readonly Row[],
): Promise<Outcome<Result<'check'>>> {
  let spent = 0
  if ((await thread.current()).key !== key) {
    const { reply, ms } = await thread.carryOut<Result<'compile'>>({ kind: 'compile', schema }, COMPILE_MS)
    if (!reply) return { reply: null, ms }
    const current = await thread.current()
    current.key = key
    spent = ms
  }
  const { reply, ms } = await thread.carryOut<Result<'check'>>({ kind: 'check', rows }, ROW_MS)
  return { reply, ms: spent + ms }
}
