import { type Input, type Once, Problem, type Route, Unreachable } from './call.ts'

export type Call = (route: Route, input: Input, once: Once) => Promise<unknown>

export type CallOptions = {
  /**
   * Of a POST, in place of one made for this call: a repeat with the same one does nothing twice, also by another
   * process.
   */
  idempotencyKey?: string
  signal?: AbortSignal | undefined
  /** Query parameters that a newer server knows and this client doesn't. */
  extraQuery?: Record<string, unknown>
  /** How often a failed call is repeated. 3 unless given. */
  retries?: number
  /**
   * How long to wait for each response, besides what the call itself asks to wait; what a file then takes isn't
   * bounded. 30 unless given.
   */
  timeoutSeconds?: number
}

/** A server that asks for more patience is told to the caller at once. */
const LONGEST_PAUSE_SECONDS = 60

/**
 * Repeats calls that failed by bad luck, with growing pauses or those that the server asks for. A POST has one
 * Idempotency-Key for all its tries. PATCH and DELETE are repeated only where the first try surely did nothing.
 */
export const retrying =
  (call: Call, defaults: Pick<CallOptions, 'retries' | 'timeoutSeconds'>) =>
  async (route: Route, input: Input, options: CallOptions = {}): Promise<unknown> => {
    const { retries = 3, timeoutSeconds = 30, signal } = { ...defaults, ...options }
    const { wait = 0 }: { wait?: number } = { ...input.query }
    const idempotencyKey = route.method === 'POST' ? (options.idempotencyKey ?? newKey()) : undefined
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted()
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), (timeoutSeconds + wait) * 1000)
      try {
        return await call(route, input, {
          ...(idempotencyKey !== undefined && { idempotencyKey }),
          signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
        })
      } catch (failure) {
        signal?.throwIfAborted()
        if (tries > retries || !mayRepeat(route.method, failure)) throw failure
        const seconds = pauseAfter(failure, tries)
        if (seconds > LONGEST_PAUSE_SECONDS) throw failure
        await pause(seconds, signal)
      } finally {
        clearTimeout(timer) // a file that is read on takes as long as it takes
      }
    }
  }

/** Whether a repeat may succeed and does nothing twice. */
function mayRepeat(method: string, failure: unknown): boolean {
  const canRepeat = method === 'GET' || method === 'PUT' || method === 'POST'
  if (failure instanceof Unreachable) return canRepeat
  if (!(failure instanceof Problem)) return false
  const { status, code } = failure
  if (code === 'purchases_open') return false // waiting doesn't help
  if (status === 429 || code === 'overloaded' || code === 'maintenance') return true
  return canRepeat && ([502, 503, 504].includes(status) || code === 'idempotency_in_flight')
}

/**
 * What the server asks for, else up to half a second that doubles with each try. Clients that failed together come back
 * apart.
 */
const pauseAfter = (failure: unknown, tries: number): number =>
  (failure instanceof Problem ? failure.retryAfterSeconds : null) ?? (Math.random() / 2 + 0.25) * 2 ** (tries - 1)

/** Throws the signal's reason once it is aborted. */
export const pause = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    signal?.addEventListener('abort', stop)
  })

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
