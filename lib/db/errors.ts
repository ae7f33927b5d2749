import pg from 'pg'
import { fileFault } from '../core/file-fault.ts'
import { oncePerProcess } from '../core/once-per-process.ts'
import { Prisma } from '../../generated/prisma/client.ts'

/** The driver's error as Prisma's adapter passes it on. */
type DriverCause = { kind?: string; originalCode?: string; originalMessage?: string }
type Thrown = {
  name?: string
  message?: string
  code?: string
  cause?: unknown
  meta?: { driverAdapterError?: unknown }
}

/**
 * Errors that the database's connections gave. Those of a socket and of the driver have neither a class nor a code that
 * tells them from those of a mail server or of a token's metadata.
 */
const given = oncePerProcess('errors of the database', () => new WeakSet<object>())

/**
 * Gives back what a connection to the database was asked for. Where that is a promise that fails, its error counts as
 * the database's from then on.
 */
export const fromDatabase = <T>(answer: T): T =>
  answer instanceof Promise ? (answer.catch(throwAsDatabases) as T) : answer

function throwAsDatabases(error: unknown): never {
  for (const each of [error, ...(error instanceof AggregateError ? error.errors : [])])
    if (typeof each === 'object' && each !== null) given.add(each)
  throw error
}

/** Whether Prisma, its adapter, the driver or one of our connections gave this error. */
const isOfDatabase = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ||
  (error instanceof Error && (/^(PrismaClient|DriverAdapterError$)/.test(error.name) || given.has(error)))

/** Prisma wraps the adapter's error in one of its own, except where a transaction begins. */
function driverCauseOf(error: unknown): DriverCause | null {
  const { name, meta } = (error ?? {}) as Thrown
  const adapters = name === 'DriverAdapterError' ? error : meta?.driverAdapterError
  return ((adapters as Thrown | undefined)?.cause as DriverCause | undefined) ?? null
}

/**
 * The text of the database's error, whether Prisma sent the statement or we did. Empty for other errors. The values of
 * a violated key are left out.
 */
function textOf(error: unknown): string {
  if (error instanceof Prisma.PrismaClientKnownRequestError)
    return `${error.message} ${JSON.stringify(error.meta ?? {})}`
  const cause = driverCauseOf(error)
  if (cause) return JSON.stringify(cause)
  if (!(error instanceof pg.DatabaseError)) return ''
  return `${error.code} ${error.message} ${error.constraint ?? ''} ${error.detail?.replace(/\)=\(.*/s, '') ?? ''}`
}

/** The stock trigger refused a hold: not enough free units (prisma/migrations: move_held_units). */
export const isSoldOut = (error: unknown): boolean => textOf(error).includes('VT001')

/** Units of this collection are promised to nobody for now (prisma/migrations: assert_promisable). */
export const arePromisesHeld = (error: unknown): boolean => textOf(error).includes('VT004')

/** Another process has taken over the task that this transaction was part of (prisma/migrations: assert_lease). */
export const isLeaseLost = (error: unknown): boolean => textOf(error).includes('VT002')

/** A TEST key's request tried to change a row that is LIVE (prisma/migrations: refuse_live). */
export const isModeRefused = (error: unknown): boolean => textOf(error).includes('VT003')

/**
 * A write was refused because what it would promise, sell or mint is suspended (prisma/migrations: refuse_suspended).
 */
export const isSuspensionRefused = (error: unknown): boolean => textOf(error).includes('VT005')

/** Something LIVE of an organization that no operator has approved yet (prisma/migrations: refuse_live_newcomer). */
export const isApprovalNeeded = (error: unknown): boolean => textOf(error).includes('VT006')

/**
 * A holder's token is kept for its recipient (prisma/migrations: refuse_in_escrow, keep_escrowed_hold,
 * keep_escrowed_claim).
 */
export const isEscrowRefused = (error: unknown): boolean => textOf(error).includes('VT009')

/** A delayed reveal promised that this stays (prisma/migrations: keep_contents, keep_reveal). */
export const areContentsFixed = (error: unknown): boolean => textOf(error).includes('VT010')

/** Another request has taken over the Idempotency-Key (prisma/migrations: store_answer). */
export const isKeyTakenOver = (error: unknown): boolean => textOf(error).includes('VT008')

/** A unique key over all these columns (in the database's names) was violated. */
export function isUniqueViolation(error: unknown, ...columns: string[]): boolean {
  const text = textOf(error)
  const isViolation = (error as { code?: string } | null)?.code === 'P2002' || text.includes('23505')
  return isViolation && columns.every((column) => text.includes(column))
}

/** A foreign key was violated: another row refers to this one, or this one to a missing row. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  (error as { code?: string } | null)?.code === 'P2003' || /23503|23001/.test(textOf(error))

/**
 * The transaction was rolled back for a deadlock, a serialization failure or a lock that was not free in time. The
 * whole transaction can be repeated.
 */
export const isTransactionConflict = (error: unknown): boolean =>
  (error as { code?: string } | null)?.code === 'P2034' || /40P01|40001|55P03|deadlock detected/.test(textOf(error))

/** The statement took longer than a statement of this process may. */
export const isOutOfTime = (error: unknown): boolean =>
  isOfDatabase(error) && /57014|statement timeout/.test(`${textOf(error)} ${(error as Error).message}`)

/**
 * PostgreSQL ends, starts, recovers after a crash, or has no connection left; or the connection failed. A pooler says
 * 08P01 for whatever it lacks.
 */
const AWAY_CODES = /^(57P0[123]|53300|08)/
/**
 * The kinds of errors by which Prisma's adapter says that the database is away. It keeps no code of what happened to a
 * socket.
 */
const AWAY_KINDS = [
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
]
/**
 * The server's disk is full, failing or read-only, or it has no file left to open. Some systems' errors have codes of
 * other things.
 */
const DISK_CODES = /^(53000|53100|58030)/
const DISK_WORDS = /No space left on device|Disk quota exceeded|Read-only file system|Input\/output error/
/**
 * A standby, or a server that was told to take no writes. What needs more than that of a standby is refused with other
 * codes.
 */
const READ_ONLY_CODES = /^25006/
const READ_ONLY_WORDS = /recovery is in progress|during recovery/

/**
 * Why the database as a whole can't do what it was asked, whatever that was. Where the disk fails or only reads are
 * taken, reads go on.
 */
export type DatabaseFault = 'away' | 'disk' | 'read_only'

/** Said by PostgreSQL, a pooler, the driver or Prisma; null: the failure has another reason. */
export function databaseFaultOf(error: unknown): DatabaseFault | null {
  if (error instanceof AggregateError) return error.errors.map(databaseFaultOf).find((fault) => fault !== null) ?? null
  const { code, said } = saidBy(error)
  if (DISK_CODES.test(code) || DISK_WORDS.test(said)) return 'disk'
  if (READ_ONLY_CODES.test(code) || READ_ONLY_WORDS.test(said)) return 'read_only'
  return AWAY_CODES.test(code) || isUnreachable(error) ? 'away' : null
}

/** The code and the words of the server, or of a pooler in its place; empty where it said nothing. */
function saidBy(error: unknown): { code: string; said: string } {
  const { originalCode, originalMessage } = driverCauseOf(error) ?? {}
  if (originalCode !== undefined) return { code: originalCode, said: originalMessage ?? '' }
  return error instanceof pg.DatabaseError ? { code: error.code ?? '', said: error.message } : { code: '', said: '' }
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientInitializationError ||
  (error instanceof Prisma.PrismaClientKnownRequestError &&
    ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'].includes(error.code)) ||
  AWAY_KINDS.includes(driverCauseOf(error)?.kind ?? '') ||
  (isOfDatabase(error) && saysAway(error))

const saysAway = (error: unknown): boolean =>
  /ECONNREFUSED|ECONNRESET|EPIPE|Connection terminated|terminating connection|Client was closed|not yet accepting connections|in recovery mode|ConnectionClosed|connection error and is not queryable|timeout exceeded when trying to connect|57P0[123]|the database system is (starting|shutting)|Server has closed/i.test(
    (error as Thrown | null)?.message ?? '',
  )

/** The database can't do its work at the moment: no row and no request is at fault. */
export const isDatabaseDown = (error: unknown): boolean => databaseFaultOf(error) !== null

/** The database answers what reads, and can't write. */
export const isUnwritable = (error: unknown): boolean => ['disk', 'read_only'].includes(databaseFaultOf(error) ?? '')

/** The server had too little memory for the statement. */
export const isOutOfMemory = (error: unknown): boolean => saidBy(error).code === '53200'

/** The failure is about none of the rows: the same may succeed in a moment. */
export const isTemporary = (error: unknown): boolean =>
  isDatabaseDown(error) || isTransactionConflict(error) || isOutOfTime(error) || isOutOfMemory(error)

/** The database doesn't let this login in. */
export const isRefusedLogin = (error: unknown): boolean =>
  ['P1000', 'P1010'].includes((error as Thrown | null)?.code ?? '') || /28P01|28000/.test(textOf(error))

/** The faults of a database and their remedies in words, for whoever runs it. */
export const FAULT_WORDS = {
  away: { what: 'The database can’t be reached', toDo: 'try again once it answers.' },
  disk: {
    what: 'The database can’t use its disk',
    toDo: 'free or add space if it is full, and see that it takes writes.',
  },
  read_only: {
    what: 'The database takes reads only',
    toDo: 'name the primary in DATABASE_URL, and see that default_transaction_read_only is off.',
  },
} as const satisfies Record<DatabaseFault, object>

/** Why a command couldn't do its work, for the person who runs it. Its own sockets are connections to the database. */
export const commandFailure = (error: unknown): string => {
  const message = (error as Thrown | null)?.message ?? String(error)
  const said = driverCauseOf(error)?.originalMessage ?? message.trim().split('\n').at(-1)
  if (isRefusedLogin(error))
    return `The database doesn’t let the login of DATABASE_URL in (${said}). npm run doctor looks further.`
  const fault = databaseFaultOf(error) ?? (saysAway(error) ? 'away' : null)
  const atFile = fileFault(error)
  if (fault === null) return atFile === null ? message : `${message}: ${atFile}.`
  const { what, toDo } = FAULT_WORDS[fault]
  return `${what} (${said}). Nothing more was done; ${toDo} npm run doctor looks further.`
}
