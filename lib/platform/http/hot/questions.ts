import { env } from '../../../core/env.ts'
import { AppError } from '../../../core/errors.ts'
import { publishedRows } from '../../../db/published-scope.ts'
import type { Statement, Value } from '../../../db/statements.ts'
import type { Found } from './hot-read.ts'

/** Statements of one kind that are sent at a time. What is asked meanwhile goes out together with the next. */
const MOST_SENT = 2
const MOST_KEYS = 200
/** The rows that the answers of one statement have at most, where it has more than one: they are all in memory at once. */
const MOST_ROWS = 2_000

type Question<Row> = {
  key: readonly Value[]
  answer: Promise<Found<Row>[]>
  resolve: (rows: Found<Row>[]) => void
  reject: (error: unknown) => void
}

/**
 * Asks a statement of published rows about one key. Questions that wait at the same time go out in one statement, and equal ones are asked
 * once. A question never joins a statement that was sent already: what was committed before it was asked is in its answer.
 * @param rowsIn how many rows the answer to a key has at most
 * @param seconds after this long without an answer the next ones go out; 0: never
 */
export function questions<Row>(
  statement: Statement,
  rowsIn: (key: readonly Value[]) => number = () => 1,
  seconds = env.REQUEST_SECONDS,
): (key: readonly Value[]) => Promise<Found<Row>[]> {
  const waiting = new Map<string, Question<Row>>()
  let sent = 0
  let isTick = false

  /** The first of those that wait, which wait no longer. */
  function take(): Question<Row>[] {
    const taken: Question<Row>[] = []
    let rows = 0
    for (const [id, question] of waiting) {
      rows += rowsIn(question.key)
      if (taken.length === MOST_KEYS || (taken.length > 0 && rows > MOST_ROWS)) break
      waiting.delete(id)
      taken.push(question)
    }
    return taken
  }

  function send(): void {
    isTick = false
    while (sent < MOST_SENT && waiting.size > 0) {
      sent++
      void ask(statement, take(), seconds).finally(() => {
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

async function ask<Row>(statement: Statement, asked: readonly Question<Row>[], seconds: number): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = seconds > 0 ? setTimeout(() => late.reject(noAnswer()), seconds * 1000) : undefined
  try {
    const values = asked[0]!.key.map((_, part) => asked.map(({ key }) => key[part]!))
    const answers = asked.map((): Found<Row>[] => [])
    const rows = await Promise.race([publishedRows<Found<Row>>(statement, ...values), late.promise])
    for (const row of rows) answers[row.at - 1]!.push(row)
    for (const [at, { resolve }] of asked.entries()) resolve(answers[at]!)
  } catch (error) {
    for (const { reject } of asked) reject(error)
  } finally {
    clearTimeout(timer)
  }
}

/** A connection may be lost without a word; two of them would else hold up everybody who asks the same. */
const noAnswer = () =>
  new AppError('unavailable', 'The database does not answer right now. Try again in a moment.', {
    retryAfterSeconds: 5,
  })
