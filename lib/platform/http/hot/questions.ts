import { env } from '../../../core/env.ts'
import { AppError } from '../../../core/errors.ts'
import { inHalves } from '../../../core/in-halves.ts'
import { isTemporary } from '../../../db/errors.ts'
import { publishedRows } from '../../../db/published-scope.ts'
import type { Statement, Value } from '../../../db/statements.ts'
import type { KeptRow } from './hot-read.ts'

/** Round trips of one kind that are under way at a time. What is asked meanwhile goes out together with the next. */
const MOST_SENT = 2
const MOST_KEYS = 200
/**
 * The rows that the answers of one round trip have at most, where it has more than one: they are all in memory at once.
 */
const MOST_ROWS = 2_000

/** The subject of a question: equal keys have the same answer. */
type Key = readonly Value[]
/** Answers many keys in one round trip, in their order. */
export type Ask<K extends Key, Answer> = (keys: readonly K[]) => Promise<readonly Answer[]>

type Question<K, Answer> = {
  key: K
  promise: Promise<Answer>
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Asks about one key. Questions that wait at the same time go out in one round trip, and equal ones are asked once. A
 * question never joins a round trip that was begun already: what was committed before it was asked is in its answer.
 * @param rowsIn how many rows the answer to a key has at most
 * @param seconds after this long without an answer the next ones go out; 0: never
 */
export function questions<K extends Key, Answer>(
  ask: Ask<K, Answer>,
  rowsIn: (key: K) => number = () => 1,
  seconds = env.REQUEST_SECONDS,
): (key: K, signal?: AbortSignal) => Promise<Answer> {
  let waiting = new Map<string, Question<K, Answer>>()
  let sent = 0
  let isTick = false

  /**
   * The first of those that wait, which wait no longer. The others wait in a new Map: one that lived as long as the
   * process would keep answers from being collected while they are young, since V8's former tables of a Map refer to
   * the next ones (docs/decisions/0070).
   */
  function take(): Question<K, Answer>[] {
    const taken: Question<K, Answer>[] = []
    const others: typeof waiting = new Map()
    let rows = 0
    for (const [id, question] of waiting) {
      rows += rowsIn(question.key)
      if (taken.length === MOST_KEYS || (taken.length > 0 && rows > MOST_ROWS)) others.set(id, question)
      else taken.push(question)
    }
    waiting = others
    return taken
  }

  function send(): void {
    isTick = false
    while (sent < MOST_SENT && waiting.size > 0) {
      sent++
      void answer(ask, take(), seconds).finally(() => {
        sent--
        sendSoon()
      })
    }
  }

  /** Once what has arrived by now has been read. */
  function sendSoon(): void {
    if (!isTick && sent < MOST_SENT && waiting.size > 0) isTick = (setImmediate(send), true)
  }

  return async (key, signal) => {
    signal?.throwIfAborted()
    const id = JSON.stringify(key)
    const known = waiting.get(id)
    if (known) return known.promise
    const question = { key, ...Promise.withResolvers<Answer>() }
    waiting.set(id, question)
    sendSoon()
    return question.promise
  }
}

/** Answers questions in one round trip; one at fault fails alone (`inHalves`). */
async function answer<K extends Key, Answer>(
  ask: Ask<K, Answer>,
  asked: readonly Question<K, Answer>[],
  seconds: number,
): Promise<void> {
  const work = (keys: readonly K[]) => withinSeconds(ask(keys), seconds)
  const answers = inHalves(
    { work, isShared: isAboutNone },
    asked.map(({ key }) => key),
  )
  await Promise.all(answers.map((given, at) => given.then(asked[at]!.resolve, asked[at]!.reject)))
}

async function withinSeconds<T>(answers: Promise<T>, seconds: number): Promise<T> {
  if (seconds === 0) return answers
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(noAnswer()), seconds * 1000)
  return Promise.race([answers, late.promise]).finally(() => clearTimeout(timer))
}

const isAboutNone = (error: unknown): boolean =>
  isTemporary(error) || (error instanceof AppError && error.code === 'unavailable')

/** A connection may be lost without a word; two of them would else hold up everybody who asks the same. */
const noAnswer = () =>
  new AppError('unavailable', 'The database does not answer right now. Try again in a moment.', {
    retryAfterSeconds: 5,
  })

/** Asks a statement of published rows, which takes an array for each value of a key. */
export const askPublished =
  <Row>(statement: Statement): Ask<Key, KeptRow<Row>[]> =>
  async (keys) => {
    const values = keys[0]!.map((_, part) => keys.map((key) => key[part]!))
    const answers = keys.map((): KeptRow<Row>[] => [])
    for (const row of await publishedRows<KeptRow<Row>>(statement, ...values)) answers[row.at - 1]!.push(row)
    return answers
  }
