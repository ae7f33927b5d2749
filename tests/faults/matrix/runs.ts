import type { CrashPoint } from '../../../lib/core/crash.ts'
import type { Kind } from './process.ts'
import type { Victim } from './stage.ts'
import { adoption, deployment, escrow, handover, mint, reorg, splitBatch } from './stories/chain.ts'
import { claimsFile, exported, itemsFile, lock, retention, reveal, snapshot, upload } from './stories/files.ts'
import {
  deletedCampaign,
  expiredClaims,
  gift,
  giftByOwnServer,
  giftsInBulk,
  pin,
  redemption,
  redemptionByVoucher,
  reminder,
} from './stories/giving.ts'
import { alarm, webhook } from './stories/messages.ts'
import { lostMailbox, lostVoucher } from './stories/recovery.ts'
import {
  cardAccount,
  cardPurchase,
  expiredVoucher,
  freePurchase,
  leftPayment,
  lostPayment,
  refund,
  unpaid,
  voucherPurchase,
} from './stories/selling.ts'
import { expiredTransfer, refusedTransfer, signedTransfer } from './stories/transfers.ts'
import type { Story } from './story.ts'

const STORIES = {
  mint: mint(3),
  batch: mint(20),
  deployment,
  handover,
  escrow,
  reorg,
  adoption,
  'split-batch': splitBatch,
  'signed-transfer': signedTransfer,
  'refused-transfer': refusedTransfer,
  'expired-transfer': expiredTransfer,
  'lost-voucher': lostVoucher,
  'lost-mailbox': lostMailbox,
  'card-purchase': cardPurchase,
  refund,
  'given-up': unpaid('given up'),
  unpaid: unpaid('by time'),
  'left-payment': leftPayment,
  'lost-payment': lostPayment,
  'free-purchase': freePurchase,
  'voucher-purchase': voucherPurchase,
  'expired-voucher': expiredVoucher,
  'card-account': cardAccount,
  gift,
  'gift-by-own-server': giftByOwnServer,
  'gifts-in-bulk': giftsInBulk,
  pin,
  redemption,
  'redemption-by-voucher': redemptionByVoucher,
  'expired-claims': expiredClaims,
  reminder,
  'deleted-campaign': deletedCampaign,
  webhook,
  alarm,
  claims: claimsFile(3),
  'claims-file': claimsFile(210),
  'items-file': itemsFile,
  lock,
  reveal,
  export: exported,
  snapshot,
  upload,
  retention,
} satisfies Record<string, Story>
type StoryName = keyof typeof STORIES

/**
 * Where a run dies the second time. `again`: at this point, since what precedes the first is done by then. `never`: why
 * nothing reaches one.
 */
type Second = { again?: CrashPoint; never?: string }
/** `atStart`: the story is what the process does when it starts. */
type Way = Second & { in: Kind; stories: StoryName[]; atStart?: true }

/** The indexer comes by here with every block. */
const NEXT_BLOCK = { again: 'blocks_entered' } as const
const worker = (stories: StoryName[], second: Second = {}): Way => ({ in: 'worker', stories, ...second })
const web = (stories: StoryName[], second: Second = {}): Way => ({ in: 'web', stories, ...second })

/** Stories of one request whose answer is stored. */
const REQUESTS: StoryName[] = [
  'mint',
  'deployment',
  'card-purchase',
  'free-purchase',
  'voucher-purchase',
  'refund',
  'gift',
  'gifts-in-bulk',
  'pin',
  'redemption',
  'redemption-by-voucher',
  'claims',
  'reveal',
  'lock',
]

/** Which process comes by each point, in which stories. */
export const WAYS: Record<CrashPoint, Way[]> = {
  transaction_closed: [worker(['mint'])],
  before_signing: [worker(['mint', 'deployment'])],
  after_storing: [worker(['mint', 'batch', 'deployment', 'handover', 'signed-transfer'], { again: 'after_mining' })],
  after_broadcasting: [worker(['mint'], { again: 'after_mining' })],
  after_mining: [worker(['mint', 'batch', 'deployment', 'handover', 'signed-transfer'])],
  receipt_applied: [worker(['mint', 'deployment', 'signed-transfer'], NEXT_BLOCK)],
  batch_split: [worker(['split-batch'], { again: 'after_storing' })],
  blocks_read: [worker(['mint'])],
  blocks_written: [worker(['mint'])],
  blocks_entered: [worker(['mint'])],
  reorg_undone: [worker(['reorg'])],
  reorg_recorded: [worker(['reorg'], NEXT_BLOCK)],
  tokens_adopted: [worker(['adoption'])],
  metadata_saved: [worker(['adoption'])],
  fact_applied: [worker(['voucher-purchase'])],
  voucher_signed: [web(['voucher-purchase', 'redemption-by-voucher'])],
  voucher_ended: [worker(['expired-voucher'])],
  transfer_requested: [web(['signed-transfer'], { never: 'A repeat finds the transfer without coming by here.' })],
  transfer_refused: [{ ...worker(['refused-transfer'], NEXT_BLOCK), atStart: true }],
  recovery_begun: [worker(['lost-voucher'], { again: 'mint_decided' })],
  mint_decided: [worker(['lost-voucher'], { again: 'claim_matched' })],
  claim_matched: [worker(['lost-voucher'], { again: 'recovery_ended' })],
  arrival_decided: [worker(['lost-mailbox'], { again: 'escrow_matched' })],
  escrow_matched: [worker(['lost-mailbox'], NEXT_BLOCK)],
  recovery_ended: [worker(['lost-voucher'], NEXT_BLOCK)],

  units_held: [
    web(['card-purchase']),
    web(['free-purchase'], { never: 'Its answer is stored with its units: a repeat gets it without coming by here.' }),
  ],
  payment_created: [web(['card-purchase']), worker(['left-payment'])],
  event_received: [web(['card-purchase'])],
  payment_read: [worker(['card-purchase'])],
  event_processed: [worker(['card-purchase'])],
  before_fulfilling: [worker(['card-purchase'])],
  purchase_continued: [worker(['card-purchase'])],
  payment_cancelling: [web(['given-up']), worker(['unpaid'])],
  payment_cancelled: [web(['given-up']), worker(['unpaid'])],
  refund_taken: [worker(['refund'])],
  // Meanwhile the provider's event may tell of the refund.
  refund_created: [worker(['refund'], NEXT_BLOCK)],
  refund_recorded: [worker(['refund'], NEXT_BLOCK)],
  account_opened: [web(['card-account'])],
  lost_payment_found: [{ ...worker(['lost-payment']), atStart: true }],

  claim_expired: [worker(['expired-claims'])],
  claim_reminded: [{ ...worker(['reminder']), atStart: true }],
  escrow_settled: [worker(['escrow'])],

  mail_leased: [worker(['gift'])],
  mail_sent: [worker(['gift', 'gift-by-own-server', 'pin'])],
  mail_recorded: [worker(['gift'], NEXT_BLOCK)],
  delivery_leased: [worker(['webhook'])],
  webhook_posted: [worker(['webhook'])],
  delivery_recorded: [worker(['webhook'], NEXT_BLOCK)],
  alarm_told: [worker(['alarm'], { again: 'alarm_mailed' })],
  alarm_mailed: [worker(['alarm'])],
  alarm_posted: [worker(['alarm'])],
  batch_removed: [worker(['deleted-campaign'])],

  lines_done: [worker(['claims-file', 'items-file'])],
  lines_settled: [worker(['claims-file', 'items-file'])],
  page_read: [web(['export'])],
  image_stored: [web(['upload'])],
  snapshot_begun: [worker(['snapshot'])],
  moves_added: [worker(['snapshot'], NEXT_BLOCK)],
  figures_folded: [worker(['gift'])],
  rows_deleted: [{ ...worker(['retention'], NEXT_BLOCK), atStart: true }],

  request_taken: [web(['mint', 'card-purchase', 'voucher-purchase', 'gift', 'redemption', 'refund'])],
  storing_answer: [web(REQUESTS)],
  answer_ready: [
    web([...REQUESTS, 'snapshot', 'upload', 'card-account'], {
      never: 'The answer is stored by then: a repeat gets it without coming by here.',
    }),
  ],
  job_taken: [worker(['card-purchase', 'refund'])],
  job_done: [worker(['card-purchase', 'refund'])],
  row_done: [worker(['expired-claims']), { ...worker(['expired-transfer'], NEXT_BLOCK), atStart: true }],
  lease_taken: [{ ...worker(['webhook']), atStart: true }],
  values_resealed: [],
  minter_requested: [],
  signer_requested: [],
}

/** Points by which only a command of the operator comes, and the test that kills it there. */
export const OF_COMMANDS: Partial<Record<CrashPoint, string>> = {
  values_resealed: 'tests/faults/rotation.test.ts',
  minter_requested: 'tests/faults/rotation.test.ts',
  signer_requested: 'tests/faults/rotation.test.ts',
}

/** Processes whose code comes by a point, and for which there is no run. */
export const LEFT_OUT: Partial<Record<CrashPoint, Partial<Record<Kind, string>>>> = {
  image_stored: {
    worker: 'It stores images that it fetches by https from servers of others; the web process runs the same lines.',
  },
}

/**
 * Where nothing is lost when PostgreSQL dies: no transaction is open, so the process goes on with a new connection, or
 * it remembers what it did (a mail that a server took), and doesn't come by a second time.
 */
const LOSES_NOTHING: ReadonlySet<string> = new Set([
  'transaction_closed/worker/mint',
  'voucher_signed/web/voucher-purchase',
  'delivery_leased/worker/webhook',
  'webhook_posted/worker/webhook',
  'mail_sent/worker/gift',
  'mail_sent/worker/gift-by-own-server',
  'mail_sent/worker/pin',
  'page_read/web/export',
])

/**
 * Where it depends on the moment whether anything is lost: the request's key is taken without waiting for the disk, and
 * PostgreSQL may have written it by itself before it dies.
 */
const MAY_LOSE_NOTHING: ReadonlySet<string> = new Set<CrashPoint>(['request_taken'])

export type Run = {
  name: string
  point: CrashPoint
  kind: Kind
  story: Story
  atStart: boolean
  victim: Victim
  /** Where it dies, one after the other. */
  points: CrashPoint[]
  /** The process may lose nothing when PostgreSQL dies, so that it comes by no further point. */
  mayLoseNothing: boolean
}

/** Every point in every story × what dies × once and twice in a row. */
export const RUNS: Run[] = Object.entries(WAYS).flatMap(([name, ways]) =>
  ways.flatMap(({ in: kind, stories, again, never, atStart = false }) => {
    const point = name as CrashPoint
    const once = { times: 'once', points: [point] }
    const twice = { times: 'twice', points: [point, again ?? point] }
    return stories.flatMap((story) =>
      ([kind, 'postgres'] as const).flatMap((victim) =>
        [
          once,
          ...(never || (victim === 'postgres' && LOSES_NOTHING.has(`${name}/${kind}/${story}`)) ? [] : [twice]),
        ].map(({ times, points }) => ({
          name: `${point}/${kind}/${story}/${victim}/${times}`,
          point,
          kind,
          story: STORIES[story],
          atStart,
          victim,
          points,
          mayLoseNothing: victim === 'postgres' && MAY_LOSE_NOTHING.has(name),
        })),
      ),
    )
  }),
)
