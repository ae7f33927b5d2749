// A thread that checks by schemas which may take long. Its owner (check-in-thread.ts) ends it when a task takes too
// much.
import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { FieldError } from '../../core/errors.ts'
import { answerTasks, cpuMicros } from '../../platform/threads/answer-tasks.ts'
import { compileSchema, draftValidator, type Faults, faultsBy, type Schema, schemaFaults } from './compile-schema.ts'

export type Row = { attributes: unknown; field: string }
export type Task =
  { kind: 'schema'; schema: Schema } | { kind: 'compile'; schema: Schema } | { kind: 'check'; rows: readonly Row[] }
/** `faults`: of the first rows, at least one; null for one that can’t be checked. */
export type Reply =
  { kind: 'schema'; faults: FieldError[] } | { kind: 'compile' } | { kind: 'check'; faults: (Faults | null)[] }

/** Rows are checked for so long before those that are done are told. */
const TURN_MICROS = 10_000

/** By the schema that was compiled last: the thread has little memory. */
let validate: ValidateFunction | null = null

/** null where references lead in a circle. */
function faultsOf({ attributes, field }: Row): Faults | null {
  try {
    return faultsBy(validate!, attributes, field)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function firstFaultsOf(rows: readonly Row[]): (Faults | null)[] {
  const end = cpuMicros() + TURN_MICROS
  const faults: (Faults | null)[] = []
  for (const row of rows) {
    faults.push(faultsOf(row))
    if (cpuMicros() > end) break
  }
  return faults
}

function answer(task: Task): Reply {
  switch (task.kind) {
    case 'schema':
      return { kind: task.kind, faults: schemaFaults(task.schema) }
    case 'compile':
      validate = compileSchema(task.schema)
      return { kind: task.kind }
    case 'check':
      return { kind: task.kind, faults: firstFaultsOf(task.rows) }
  }
}

draftValidator()
answerTasks(answer)
