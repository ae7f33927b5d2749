import { Prisma } from '../../generated/prisma/client.ts'

/**
 * Who owns each model's rows. Adding a model without deciding here does not compile.
 * organization: confined by organizationId. self: the organization's own row. system: out of reach for a scoped client.
 */
export const OWNER = {
  Organization: 'self',
  User: 'system',
  Account: 'system',
  Session: 'system',
  VerificationToken: 'system',
  Passkey: 'system',
  PasskeyChallenge: 'system',
  WalletCopy: 'system',
  SetupLink: 'system',
  SignUp: 'system',
  Maintenance: 'system',
  SandboxClock: 'system',
  Member: 'organization',
  SavedView: 'organization',
  ApiKey: 'organization',
  ItemType: 'organization',
  Collection: 'organization',
  RevealProof: 'organization',
  Item: 'organization',
  MetadataPass: 'organization',
  Hold: 'organization',
  Campaign: 'organization',
  EmailClaim: 'organization',
  ClaimToken: 'organization',
  ClaimHandover: 'organization',
  Pin: 'organization',
  Voucher: 'organization',
  VoucherFact: 'organization',
  Transaction: 'organization',
  SignedTransaction: 'organization',
  MintRequest: 'organization',
  SignedTransfer: 'organization',
  TransferBudget: 'organization',
  Escrow: 'organization',
  Perk: 'organization',
  PerkCode: 'organization',
  PerkFilePart: 'organization',
  OperatorLane: 'system',
  Recovery: 'system',
  DatabaseServer: 'system',
  UnmatchedMint: 'organization',
  Lease: 'system',
  Worker: 'system',
  ProcessClock: 'system',
  ChainBlock: 'system',
  ChainCursor: 'system',
  ChainLog: 'organization',
  ItemHistory: 'organization',
  ItemOwner: 'organization',
  OutboxMessage: 'organization',
  Event: 'organization',
  AuditEntry: 'organization',
  RowCount: 'organization',
  CollectionSum: 'organization',
  CollectionOwner: 'organization',
  Alarm: 'organization',
  AlarmNotice: 'system',
  IdempotencyRecord: 'system',
  Job: 'system',
  RowTry: 'system',
  RateLimit: 'system',
  Listing: 'organization',
  ListingAllowance: 'organization',
  ListingBuyer: 'organization',
  Snapshot: 'organization',
  SnapshotHolder: 'organization',
  PurchaseIntent: 'organization',
  PurchaseUnit: 'organization',
  UsedChallenge: 'organization',
  PaymentIntegration: 'organization',
  Payment: 'organization',
  LostPayment: 'organization',
  CardEvent: 'system',
  SandboxAccount: 'system',
  SandboxPaymentIntent: 'system',
  SandboxRefund: 'system',
  SandboxEvent: 'system',
  EmailIntegration: 'organization',
  Suppression: 'organization',
  MailOptOut: 'organization',
  MailEvent: 'organization',
  EmailTemplate: 'organization',
  EmailTemplateVersion: 'organization',
  Webhook: 'organization',
  WebhookDelivery: 'organization',
  WebhookAttempt: 'organization',
  MediaFile: 'organization',
  Import: 'organization',
  ImportRow: 'organization',
  Suspension: 'organization',
  AbuseReport: 'organization',
  ClaimChange: 'organization',
  ClaimFigure: 'organization',
  ClaimDay: 'organization',
  SaleChange: 'organization',
  SaleDay: 'organization',
} as const satisfies Record<Prisma.ModelName, 'organization' | 'self' | 'system'>

/** The rows of each published model that an anonymous reader may see. `listed` leaves private collections out. */
export const PUBLISHED: Partial<Record<Prisma.ModelName, (listed: boolean) => object>> = {
  Collection: (listed) => ({ deploymentStatus: 'SUCCESS', ...(listed && { isPublic: true }) }),
  Item: (listed) => ({
    lockedAt: { not: null },
    collection: { deploymentStatus: 'SUCCESS', ...(listed && { isPublic: true }) },
  }),
  RevealProof: () => ({}),
  ItemHistory: () => ({}),
  ItemOwner: () => ({}),
  Voucher: () => ({ state: 'PENDING' }),
  Listing: (listed) => ({
    status: { not: 'DRAFT' },
    collection: { deploymentStatus: 'SUCCESS', ...(listed && { isPublic: true }) },
  }),
}

export type Row = Record<string, unknown>
export type Args = { where?: object; data?: Row | Row[]; create?: Row; update?: Row }

export const READS = new Set([
  'findUnique',
  'findUniqueOrThrow',
  'findFirst',
  'findFirstOrThrow',
  'findMany',
  'count',
  'aggregate',
  'groupBy',
])

export function confine(organizationId: string, model: Prisma.ModelName, operation: string, args: Args): Args {
  const owner: string = OWNER[model]
  if (owner === 'system') throw new Error(`${model} belongs to no organization; a scoped client can't reach it.`)
  return confineTo({ column: owner === 'self' ? 'id' : 'organizationId', id: organizationId }, model, operation, args)
}

/** Confines a call to the rows of one owner, whose id stands in `column`. */
export function confineTo(
  { column, id }: { column: string; id: string },
  model: Prisma.ModelName,
  operation: string,
  args: Args,
): Args {
  const own = (where: object | undefined) => ({ ...where, [column]: id })
  const born = (rows: Row | Row[] = {}) => [rows].flat().map((row) => flat(model, own(row) as Row, column, id))
  switch (operation) {
    case 'create':
      return { ...args, data: born(args.data)[0]! }
    case 'createMany':
    case 'createManyAndReturn':
      return { ...args, data: born(args.data) }
    case 'upsert':
      return {
        ...args,
        create: born(args.create)[0]!,
        update: flat(model, args.update ?? {}, column, undefined),
        where: own(args.where),
      }
    case 'update':
    case 'updateMany':
    case 'updateManyAndReturn':
      return {
        ...args,
        data: flat(model, (args.data as Row | undefined) ?? {}, column, undefined),
        where: own(args.where),
      }
    case 'delete':
    case 'deleteMany':
      return { ...args, where: own(args.where) }
    default:
      if (READS.has(operation)) return { ...args, where: own(args.where) }
      throw new Error(`${operation} is not confined to the rows of one owner.`)
  }
}

/** Writes set columns only: a nested `connect` could link another owner's row. */
function flat(model: Prisma.ModelName, row: Row, column: string, id: string | undefined): Row {
  const columns = Prisma[`${model}ScalarFieldEnum`] as Record<string, string>
  for (const name of Object.keys(row))
    if (!(name in columns)) throw new Error(`Write ${model}.${name} through its own model.`)
  if (row[column] !== id) throw new Error('A row cannot belong to, or move to, another owner.')
  return row
}
