import { env } from '../../core/env.ts'
import { AppError, contentsFixed, inEscrow } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { approvalNeeded, modeRefused } from '../auth/modes.ts'
import { suspendedError } from '../auth/suspended.ts'
import { CallUndecided, ChainUnavailable } from '../../ports/chain/chain.ts'
import { StorageUnavailable } from '../../ports/storage/storage.ts'
import { CORS } from './cors.ts'
import { keyTakenOver } from './idempotency.ts'
import {
  areContentsFixed,
  databaseFaultOf,
  type DatabaseFault,
  isApprovalNeeded,
  isEscrowRefused,
  isKeyTakenOver,
  isModeRefused,
  isOutOfMemory,
  isOutOfTime,
  isSuspensionRefused,
  isTransactionConflict,
} from '../../db/errors.ts'

/**
 * Our server and each of Next's bundles have a class of their own, and an order may be refused by the batch of another
 * (lib/core/group-commit.ts).
 */
const isAppError = (error: unknown): error is AppError =>
  error instanceof AppError || (error instanceof Error && error.name === 'AppError')

const SHOWN_FAULTS: Record<DatabaseFault, string> = {
  away: 'The database does not answer right now.',
  disk: 'The database can’t write right now.',
  read_only: 'The database can’t write right now.',
}

/** The error that the caller is shown. An unexpected one becomes `internal`, without any detail of the cause. */
export function asAppError(error: unknown): AppError {
  if (isAppError(error)) return error
  if (error instanceof ChainUnavailable || error instanceof CallUndecided)
    return new AppError('unavailable', 'The blockchain network does not answer right now. Try again in a moment.', {
      cause: error,
      retryAfterSeconds: 5,
    })
  if (isModeRefused(error)) return modeRefused()
  if (isSuspensionRefused(error)) return suspendedError()
  if (isApprovalNeeded(error)) return approvalNeeded()
  if (isEscrowRefused(error)) return inEscrow()
  if (areContentsFixed(error)) return contentsFixed()
  if (isKeyTakenOver(error)) return keyTakenOver()
  const fault = databaseFaultOf(error)
  if (fault)
    return new AppError('unavailable', `${SHOWN_FAULTS[fault]} Try again in a moment.`, {
      cause: error,
      retryAfterSeconds: 5,
    })
  if (error instanceof StorageUnavailable)
    return new AppError('unavailable', 'Stored files can’t be read or written right now. Try again in a moment.', {
      cause: error,
      retryAfterSeconds: 5,
    })
  if (isOutOfMemory(error))
    return new AppError('unavailable', 'The database has too little memory for this. Try again in a moment.', {
      cause: error,
      retryAfterSeconds: 5,
    })
  if (isOutOfTime(error))
    return new AppError('unavailable', 'The database took too long with this. Try again in a moment.', {
      cause: error,
      retryAfterSeconds: 5,
    })
  if (isTransactionConflict(error))
    return new AppError('unavailable', 'Too many requests change the same thing right now. Try again in a moment.', {
      cause: error,
      retryAfterSeconds: 2,
    })
  return new AppError('internal', 'Something went wrong on our side. The request id helps us find it.', {
    cause: error,
  })
}

/** The members of RFC 9457, and an `error` object for clients that expect one. */
export const problemBody = (error: AppError, requestId: string): object => ({
  type: `${env.ORIGIN}/docs/errors#${error.code}`,
  title: error.title,
  status: error.status,
  detail: error.message,
  code: error.code,
  request_id: requestId,
  errors: error.fields,
  ...error.extra,
  error: { code: error.code, detail: error.message },
})

/** The error response. */
export const problemAnswer = (error: AppError, requestId: string) => ({
  status: error.status,
  headers: {
    'content-type': 'application/problem+json',
    ...(error.retryAfterSeconds !== undefined && {
      'retry-after': String(Math.max(1, Math.ceil(error.retryAfterSeconds))),
    }),
  },
  body: Buffer.from(JSON.stringify(problemBody(error, requestId))),
})

/** The error response as a Response. */
export function problem(error: AppError, requestId: string): Response {
  const { status, headers, body } = problemAnswer(error, requestId)
  return new Response(body, { status, headers })
}

/**
 * The answer of the HTTP server itself. Pages of other origins call the public API, and may read why they were refused.
 */
export function refusal(error: AppError, requestId: string, headers: Record<string, string> = {}): Response {
  const response = problem(error, requestId)
  for (const [name, value] of Object.entries({ ...headers, 'request-id': requestId, ...CORS }))
    response.headers.set(name, value)
  return response
}

export function logFailure(error: AppError, request: { method: string; url: string }, requestId: string): void {
  if (error.status < 500) return
  const { url, method } = request
  log.error({ requestId, method, url, code: error.code, cause: error.cause }, error.message)
}
