import pg from 'pg'
import { DatabaseClient } from './database-client.ts'
import { fromDatabase } from './errors.ts'
import { type Value, wireOf } from './statements.ts'

// Prisma sends BEGIN, what sets the organization, each statement and COMMIT one after another, and waits for the answer
// to each. Where the answer tells nobody anything, the statement is held back here and goes out with the next one, in
// one round trip.

/** The settings of a transaction on one organization's rows: they go out with the next statement. */
export const SET_ORGANIZATION =
  "SELECT set_config('vitrine.organization_id', $1, true), set_config('vitrine.mode', $2, true)"
/**
 * The settings of a worker's transaction on one organization's rows: its own rights would show it every organization's.
 */
export const BECOME_ORGANIZATION =
  "SELECT set_config('vitrine.organization_id', $1, true), set_config('role', 'vitrine_app', true)"
/** As the first statement, it makes a transaction of each further statement. Each begins with these settings. */
export const SET_FOR_EACH = `${SET_ORGANIZATION} /* for each statement */`
/** `SET_FOR_EACH` for statements that only read: PostgreSQL refuses a write. */
export const SET_FOR_EACH_READ = `${SET_ORGANIZATION}, set_config('transaction_read_only', 'on', true)`

/** At the end of a statement whose answer nobody needs: it goes out with the next one. */
export const LATER = '/* later */'
/** Ends a transaction together with all that was held back. Prisma's own COMMIT then does nothing. */
export const COMMIT_ALL = 'COMMIT /* with what was held back */'
const TO_SAVEPOINT = 'ROLLBACK TO SAVEPOINT'

/** A statement as Prisma's adapter sends it. */
type Sent = { text: string; values: unknown[]; rowMode: 'array' }
type Protocol = {
  stream: { cork: () => void; uncork: () => void }
  parse: (message: { text: string }) => void
  bind: (message: { values: unknown[]; valueMapper: (value: Value) => unknown }) => void
  execute: (message: object) => void
}
type Callback = (error: Error | null, result: unknown) => void

/** `pg`'s own query, with the methods that it calls as the answers arrive. */
const Query = pg.Query as unknown as new (config: object) => {
  submit(connection: Protocol): Error | null
  handleDataRow(message: object): void
  handleCommandComplete(message: object, connection: object): void
}

/** A query that goes out behind others, whose answers nobody needs. A failure of theirs is its own. */
class Following extends Query {
  private readonly before: readonly Sent[]
  private unanswered: number

  constructor(before: readonly Sent[], sent: Sent, callback: Callback) {
    super({ ...sent, callback, queryMode: 'extended' })
    this.before = before
    this.unanswered = before.length
  }

  override submit(connection: Protocol): Error | null {
    connection.stream.cork()
    try {
      for (const { text, values } of this.before) {
        connection.parse({ text })
        connection.bind({ values, valueMapper: wireOf })
        connection.execute({})
      }
      return super.submit(connection)
    } finally {
      connection.stream.uncork()
    }
  }

  override handleDataRow(message: object): void {
    if (this.unanswered === 0) super.handleDataRow(message)
  }

  override handleCommandComplete(message: object, connection: object): void {
    if (this.unanswered === 0) super.handleCommandComplete(message, connection)
    else this.unanswered--
  }
}

const NOTHING = Promise.resolve({ fields: [], rows: [], rowCount: 0 })

/** A connection that Prisma and the statements of lib/db/statements.ts share. */
export class PrismaConnection extends DatabaseClient {
  /** Statements that go out with the next one. */
  private held: Sent[] = []
  /** The statement that goes out with each other one until the end of what Prisma takes for a transaction. */
  private forEach: Sent | null = null
  private hasEnded = false
  /**
   * Ends with the statement before. Prisma reads the relations of a row at once, and `pg` wants one statement after
   * another.
   */
  private before: Promise<unknown> = NOTHING

  override query = ((statement: unknown, ...rest: [unknown?, Callback?]) => {
    const query = super.query.bind(this) as (...args: unknown[]) => unknown
    return fromDatabase(
      isOfTransaction(statement, rest) ? this.sendInTransaction(statement, query) : query(statement, ...rest),
    )
  }) as pg.Client['query']

  private sendInTransaction(sent: Sent, query: (statement: unknown) => unknown): unknown {
    switch (sent.text) {
      case 'BEGIN':
        this.begin([sent], null)
        return NOTHING
      case SET_FOR_EACH:
      case SET_FOR_EACH_READ:
        if (this.held.length !== 1) throw new Error('Only the first statement of a transaction is one for each.')
        this.begin([], sent)
        return NOTHING
      case SET_ORGANIZATION:
      case BECOME_ORGANIZATION:
        return this.hold(sent)
      case COMMIT_ALL:
        this.hasEnded = true
        return this.isUntouched() ? this.drop() : this.commit(sent, query)
      case 'COMMIT':
        return this.hasEnded || this.isUntouched() ? this.drop() : this.send(sent, query)
      case 'ROLLBACK': {
        const isUntouched = this.isUntouched()
        void this.drop()
        return isUntouched ? NOTHING : this.inTurn(() => query(sent))
      }
    }
    // A rollback to a savepoint undoes all statements held back, since they come after it. Sent first, one that fails
    // would refuse the rollback.
    if (sent.text.startsWith(TO_SAVEPOINT)) this.held = []
    return sent.text.endsWith(LATER) && !this.forEach ? this.hold(sent) : this.send(sent, query)
  }

  private begin(held: Sent[], forEach: Sent | null): void {
    Object.assign(this, { held, forEach, hasEnded: false })
  }

  private hold(sent: Sent): unknown {
    this.held.push(sent)
    return NOTHING
  }

  private drop(): unknown {
    this.held = []
    this.forEach = null
    return NOTHING
  }

  /** Whether the server knows nothing of this transaction, and need not. */
  private isUntouched(): boolean {
    return (
      this.forEach !== null || (this.held[0]?.text === 'BEGIN' && !this.held.some(({ text }) => text.endsWith(LATER)))
    )
  }

  /**
   * PostgreSQL answers COMMIT with ROLLBACK, and without an error, where a statement had failed and somebody caught
   * that.
   */
  private async commit(sent: Sent, query: (statement: unknown) => unknown): Promise<unknown> {
    const result = (await this.send(sent, query)) as pg.QueryResult
    if (result.command === 'ROLLBACK')
      throw new Error('The transaction was rolled back: a statement of it had failed, and its error was caught.')
    return result
  }

  private send(sent: Sent, query: (statement: unknown) => unknown): unknown {
    const before = this.forEach ? [this.forEach] : this.held
    this.held = []
    if (before.length === 0) return this.inTurn(() => query(sent))
    return this.inTurn(
      () =>
        new Promise((resolve, reject) =>
          query(new Following(before, sent, (error, result) => (error ? reject(error) : resolve(result)))),
        ),
    )
  }

  private inTurn(ask: () => unknown): Promise<unknown> {
    const answer = this.before.then(ask)
    this.before = answer.catch(() => undefined)
    return answer
  }
}

/**
 * Statements of Prisma's transactions come without a callback; those outside a transaction come from the pool, which
 * gives one.
 */
const isOfTransaction = (statement: unknown, [, callback]: [unknown?, Callback?]): statement is Sent =>
  !callback && (statement as Partial<Sent>).rowMode === 'array'
