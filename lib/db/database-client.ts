import pg from 'pg'

/**
 * A connection to PostgreSQL whose loss ends no process: what is asked of it fails, and that tells. `pg` emits an error
 * besides, which ends a process where nobody listens, and a pool doesn't while it makes or lends a connection.
 */
export class DatabaseClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', () => undefined)
  }
}
