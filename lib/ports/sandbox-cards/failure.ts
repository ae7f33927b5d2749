/** An error response of the provider: its HTTP status and the `error` object of Stripe's API. */
export class SandboxFailure extends Error {
  override readonly name = 'SandboxFailure'
  readonly status: number
  readonly error: Record<string, unknown>

  constructor(status: number, error: { type: string; message: string; code?: string } & Record<string, unknown>) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

export const invalidRequest = (message: string, code?: string, more: Record<string, unknown> = {}): SandboxFailure =>
  new SandboxFailure(400, { type: 'invalid_request_error', message, ...(code && { code }), ...more })

export const notFoundFailure = (what: string, id: string): SandboxFailure =>
  new SandboxFailure(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param: 'id',
  })

export const unexpectedState = (status: string, verb: string, more: Record<string, unknown> = {}): SandboxFailure =>
  invalidRequest(
    `You cannot ${verb} this PaymentIntent because it has a status of ${status}.`,
    'payment_intent_unexpected_state',
    more,
  )
