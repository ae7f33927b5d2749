import pg from 'pg'

// Prisma sends BEGIN, what sets the organization, the query and COMMIT one after another, and waits for the answer to each. The first two
// tell it nothing, so they are held back here and go out with the query, in one round trip.

/** The settings of a transaction on one organization's rows: they go out with the next statement. */
export const SET_ORGANIZATION =
  "SELECT set_config('vitrine.organization_id', $1, true), set_config('vitrine.mode', $2, true)"
/** The same for the worker, whose own rights would see every organization's rows. */
export const BECOME_ORGANIZATION =
  "SELECT set_config('vitrine.organization_id', $1, true), set_config('role', 'vitrine_app', true)"
/** As the first statement of a transaction: each of the others becomes one of its own, which begins with these settings. */
export const SET_FOR_EACH = `${SET_ORGANIZATION} /* for each statement */`
/** The same where nothing is written. */
export const SET_FOR_EACH_READ = `${SET_ORGANIZATION}, set_config('transaction_read_only', 'on', true)`

/** A statement as Prisma's adapter sends it. */
type Sent = { text: string; values: unknown[]; rowMode: 'array' }
type Protocol = {
  stream: { cork: () => void; uncork: () => void }
  parse: (message: { text: string }) => void
  bind: (message: { values: unknown[] }) => void
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
        connection.bind({ values })
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

const NOTHING = { fields: [], rows: [], rowCount: 0 }

/** A connection that Prisma and the statements of lib/db/statements.ts share. */
export class PrismaConnection extends pg.Client {
  /** What goes out with the next statement. */
  private held: Sent[] = []
  /** What goes out with each statement until the end of what Prisma takes for a transaction. */
  private forEach: Sent | null = null

  override query = ((statement: unknown, ...rest: [unknown?, Callback?]) => {
    const query = super.query.bind(this) as (...args: unknown[]) => unknown
    return isOfTransaction(statement, rest) ? this.inTransaction(statement, query) : query(statement, ...rest)
  }) as pg.Client['query']

  private inTransaction(sent: Sent, query: (statement: unknown) => unknown): unknown {
    switch (sent.text) {
      case 'BEGIN':
        this.held = [sent]
        this.forEach = null
        return Promise.resolve(NOTHING)
      case SET_ORGANIZATION:
      case BECOME_ORGANIZATION:
        this.held.push(sent)
        return Promise.resolve(NOTHING)
      case SET_FOR_EACH:
      case SET_FOR_EACH_READ:
        if (this.held.length !== 1) throw new Error('Only the first statement of a transaction is one for each.')
        this.held = []
        this.forEach = sent
        return Promise.resolve(NOTHING)
      case 'COMMIT':
      case 'ROLLBACK': {
        const isOpen = this.forEach === null && this.held[0]?.text !== 'BEGIN'
        this.held = []
        this.forEach = null
        return isOpen ? query(sent) : Promise.resolve(NOTHING)
      }
    }
    const before = this.forEach ? [this.forEach] : this.held
    this.held = []
    if (before.length === 0) return query(sent)
    return new Promise((resolve, reject) =>
      query(new Following(before, sent, (error, result) => (error ? reject(error) : resolve(result)))),
    )
  }
}

/** Statements of Prisma's transactions come without a callback; those outside a transaction come from the pool, which gives one. */
const isOfTransaction = (statement: unknown, [, callback]: [unknown?, Callback?]): statement is Sent =>
  !callback && (statement as Partial<Sent>).rowMode === 'array'
