/**
 * Every error code with its HTTP status and title. The docs page and the OpenAPI documents are generated from this
 * table.
 */
export const ERRORS = {
  invalid_request: [400, 'Invalid request'],
  invalid_cursor: [400, 'Invalid cursor'],
  unauthenticated: [401, 'Not authenticated'],
  forbidden: [403, 'Not permitted'],
  sign_in_again: [403, 'Recent sign-in needed'],
  passkey_required: [403, 'Passkey needed'],
  passkey_refused: [403, 'Passkey refused'],
  suspended: [403, 'Suspended by the operator'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  request_timeout: [408, 'Request too slow'],
  precondition_failed: [412, 'Changed since it was read'],
  body_too_large: [413, 'Body too large'],
  url_too_long: [414, 'URL too long'],
  headers_too_large: [431, 'Headers too large'],
  unsupported_media_type: [415, 'Unsupported media type'],
  rate_limited: [429, 'Too many requests'],
  internal: [500, 'Internal error'],
  unavailable: [503, 'A dependency is down'],
  maintenance: [503, 'Maintenance'],
  overloaded: [503, 'Too many requests in work'],
  idempotency_mismatch: [409, 'Idempotency key used for another request'],
  idempotency_in_flight: [409, 'Request still running'],
  conflict: [409, 'State changed meanwhile'],
  name_taken: [409, 'Name already taken'],
  sold_out: [409, 'Not enough units left'],
  operator_gone: [409, 'Operator’s key not configured'],
  collection_not_deployed: [409, 'Collection not deployed'],
  collection_already_deployed: [409, 'Collection already deployed'],
  collection_in_use: [409, 'Collection in use'],
  item_already_locked: [409, 'Item already locked'],
  item_not_locked: [409, 'Item not locked'],
  item_already_minted: [409, 'Item already minted'],
  already_minted: [409, 'Token already minted'],
  item_type_in_use: [409, 'Item type in use'],
  token_id_taken: [409, 'Token id already taken'],
  token_id_invalid: [422, 'Token id not possible'],
  claim_not_active: [409, 'Claim not active'],
  claim_locked: [409, 'Claim locked'],
  claim_already_claimed: [409, 'Claim already redeemed'],
  voucher_out: [409, 'Mint voucher still out'],
  voucher_running_out: [409, 'Mint voucher running out'],
  transaction_in_use: [409, 'Transaction carries a promise'],
  transaction_finished: [409, 'Transaction finished'],
  attributes_invalid: [422, 'Attributes against the item type'],
  schema_too_slow: [422, 'Schema takes too long'],
  schema_invalid: [422, 'Not a valid JSON Schema'],
  deployment_invalid: [422, 'Deployment not possible'],
  not_external: [422, 'Not an external contract'],
  network_unavailable: [422, 'Network not available'],
  mode_mismatch: [422, 'Mode and network disagree'],
  royalty_unsupported: [422, 'Royalty not supported'],
  supply_invalid: [422, 'Supply not possible'],
  mint_not_allowed: [422, 'Contract does not let us mint'],
  gas_budget_spent: [422, 'Gas budget spent'],
  transfer_unsupported: [422, 'Signed transfers not supported'],
  transfer_refused: [422, 'Transfer would fail'],
  transfer_exists: [409, 'Nonce used for another transfer'],
  holder_pays: [409, 'Gas not paid for'],
  in_escrow: [409, 'Kept for somebody'],
  pin_required: [422, 'PIN required'],
  pin_wrong: [422, 'Wrong PIN'],
  pin_expired: [422, 'PIN no longer valid'],
  address_required: [422, 'Address required'],
  address_cannot_receive: [422, 'Address cannot receive'],
  voucher_unsupported: [422, 'Mint vouchers not supported'],
  voucher_refused: [422, 'Not a voucher mint'],
  listing_not_active: [409, 'Listing not selling'],
  listing_over: [409, 'Listing over'],
  limit_reached: [409, 'Limit per buyer reached'],
  snapshot_not_ready: [409, 'Snapshot not taken yet'],
  not_eligible: [422, 'Buyer not eligible'],
  payout_address_missing: [422, 'Payout address missing'],
  provider_not_configured: [422, 'Payment provider not set up'],
  currency_invalid: [422, 'Currency not possible'],
  price_invalid: [422, 'Price not possible'],
  quantity_invalid: [422, 'Quantity not possible'],
  provider_required: [422, 'Payment provider required'],
  provider_not_offered: [422, 'Payment provider not offered'],
  buyer_invalid: [422, 'Buyer not known well enough'],
  proof_required: [422, 'Proof of work required'],
  signature_invalid: [422, 'Signature not valid'],
  purchase_open: [409, 'Purchase open already'],
  purchases_open: [429, 'Too many purchases open'],
  purchase_confirmed: [409, 'Purchase confirmed already'],
  not_refundable: [409, 'Not refundable'],
  mint_in_flight: [409, 'Mint under way'],
  not_unresolved: [409, 'Nothing to decide'],
  recovering: [409, 'Records being restored'],
  last_owner: [409, 'Last owner'],
  payment_integration_exists: [409, 'Payment integration exists'],
  payment_integration_in_use: [409, 'Payment integration in use'],
  amount_invalid: [422, 'Amount not possible'],
  card_provider_refused: [422, 'Card provider refused'],
  member_exists: [409, 'Already a member'],
  role_beyond_own: [403, 'Role beyond your own'],
  approval_needed: [403, 'Approval needed'],
  email_integration_exists: [409, 'Email integration exists'],
  email_config_invalid: [422, 'Email settings not possible'],
  mail_refused: [422, 'Mail refused'],
  address_suppressed: [409, 'Mail to this address is stopped'],
  template_invalid: [422, 'Template not valid'],
  webhook_url_invalid: [422, 'Webhook address not possible'],
  webhook_disabled: [409, 'Webhook disabled'],
  webhook_limit: [409, 'Too many webhooks'],
  image_invalid: [422, 'Not an image'],
  movement_lost: [422, 'Movement would be lost'],
  import_invalid: [422, 'File can’t be imported'],
  unknown_columns: [422, 'Unknown columns'],
  import_not_ready: [409, 'Import not in that state'],
  contents_fixed: [409, 'Contents fixed'],
  reveal_impossible: [409, 'Reveal not possible'],
  already_revealed: [409, 'Already revealed'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof ERRORS
export type FieldError = { field: string; code: string; detail: string }

/**
 * The text about a code on /docs/errors (lib/core/error-help), and an example of an answer: its `detail`, one of its
 * `errors`, and members of its own.
 */
export type ErrorHelp = {
  cause: string
  remedy: string
  detail: string
  field?: string
  /** The code of the field’s error; the same as the answer’s unless given. */
  fieldCode?: string
  more?: Record<string, unknown>
}

/** A failure that the caller may see. `detail` is a sentence shown to people; internal facts go into `cause`. */
export class AppError extends Error {
  /**
   * Whether errors below 500 get a stack trace. Nobody reads those of the web process, where one is a tenth of what it
   * costs to refuse a request.
   */
  static tracesRefusals = true

  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly fields: FieldError[]
  /** Members added to the problem body, such as `tries_left`. */
  readonly extra: Record<string, unknown>
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    detail: string,
    options: {
      cause?: unknown
      fields?: FieldError[]
      extra?: Record<string, unknown>
      retryAfterSeconds?: number
    } = {},
  ) {
    const { stackTraceLimit } = Error
    if (!AppError.tracesRefusals && ERRORS[code][0] < 500) Error.stackTraceLimit = 0
    super(detail, { cause: options.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.fields = options.fields ?? []
    this.extra = options.extra ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
  }
  get status(): number {
    return ERRORS[this.code][0]
  }
  get title(): string {
    return ERRORS[this.code][1]
  }
}

/**
 * Thrown for an unknown id, a malformed one and another organization's alike, so that callers can't tell them apart.
 */
export const notFound = () => new AppError('not_found', 'There is nothing here by that id.')

/** An error about one field; `field` is its path in the body, joined by dots. */
export const fieldError = (code: ErrorCode, field: string, detail: string, fieldCode: string = code) =>
  new AppError(code, detail, { fields: [{ field, code: fieldCode, detail }] })

/** The error for what would take a token from the escrow that it is in. */
export const inEscrow = (
  detail = 'The holder of this item sent it to somebody. It is kept for them until they take it, or it goes back.',
) => new AppError('in_escrow', detail)

/** The error for what would change the contents that a delayed reveal promised. */
export const contentsFixed = () =>
  new AppError(
    'contents_fixed',
    'Items of this collection are listed, claimed or minted already: ' +
      'its delayed reveal promises that their contents stay as they are.',
  )

/** The error for an id in a body or query that names nothing of the organization, be it unknown or another's. */
export const unknownId = (field: string, thing: string) =>
  fieldError('not_found', field, `There is no ${thing} by this id.`)

/**
 * The error for a name that another row of the organization has. `thing` comes with its article, such as `a campaign`.
 */
export const nameTaken = (thing: string, name = '') =>
  fieldError('name_taken', 'name', `There is ${thing} called “${name}” already.`)
