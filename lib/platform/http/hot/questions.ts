import { publishedRows } from '../../../db/published-scope.ts'
import type { Statement, Value } from '../../../db/statements.ts'
import type { Found } from './hot-read.ts'

/** Statements of one kind that are sent at a time. What is asked meanwhile goes out together with the next. */
const MOST_SENT = 2
const MOST_KEYS = 200

type Question<Row> = {
  key: readonly Value[]
  answer: Promise<Found<Row>[]>
  resolve: (rows: Found<Row>[]) => void
  reject: (error: unknown) => void
}

/**
 * Asks a statement of published rows about one key. Questions that wait at the same time go out in one statement, and equal ones are asked
 * once. A question never joins a statement that was sent already: what was committed before it was asked is in its answer.
 */
export function questions<Row>(statement: Statement): (key: readonly Value[]) => Promise<Found<Row>[]> {
  let waiting = new Map<string, Question<Row>>()
  let sent = 0
  let isTick = false

  function send(): void {
    isTick = false
    while (sent < MOST_SENT && waiting.size > 0) {
      const all = [...waiting]
      waiting = new Map(all.slice(MOST_KEYS))
      sent++
      void ask(
        statement,
        all.slice(0, MOST_KEYS).map(([, question]) => question),
      ).finally(() => {
        sent--
        sendSoon()
      })
    }
  }

  /** Once what has arrived by now has been read. */
  function sendSoon(): void {
    if (!isTick && sent < MOST_SENT && waiting.size > 0) isTick = (setImmediate(send), true)
  }

  return (key) => {
    const id = JSON.stringify(key)
    const known = waiting.get(id)
    if (known) return known.answer
    const question = { key, ...Promise.withResolvers<Found<Row>[]>() }
    waiting.set(id, { ...question, answer: question.promise })
    sendSoon()
    return question.promise
  }
}

async function ask<Row>(statement: Statement, asked: readonly Question<Row>[]): Promise<void> {
  try {
    const values = asked[0]!.key.map((_, part) => asked.map(({ key }) => key[part]!))
    const answers = asked.map((): Found<Row>[] => [])
    for (const row of await publishedRows<Found<Row>>(statement, ...values)) answers[row.at - 1]!.push(row)
    for (const [at, { resolve }] of asked.entries()) resolve(answers[at]!)
  } catch (error) {
    for (const { reject } of asked) reject(error)
  }
}
