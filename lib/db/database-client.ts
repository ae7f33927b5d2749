import pg from 'pg'

/**
 * A connection to PostgreSQL whose loss doesn't end the process. Statements on it fail, and their callers learn it so.
 * `pg` also emits an `error` event, which ends a process that has no listener for it; a pool has none while it makes or
 * lends a connection.
 */
export class DatabaseClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', () => undefined)
  }
}
