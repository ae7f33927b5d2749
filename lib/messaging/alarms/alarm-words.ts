import type { AlarmKind } from '../../records/alarms/raise-alarm.ts'

type Words = {
  /** What happened, as a sentence. */
  title: string
  /** What to do about it, as a sentence or two. */
  toDo: string
}

/** What a mail says of each kind of alarm, besides the alarm's own detail. */
const ALARM_WORDS = {
  operator_low: {
    title: 'An operator is short of gas.',
    toDo: 'Send it some of the network’s currency; what waits is sent by itself then.',
  },
  operator_stuck: {
    title: 'Transactions don’t get through.',
    toDo: 'Look at the network’s gas price, the operator’s balance and the nodes in RPC_URLS. MAX_FEE_GWEI may be too low.',
  },
  operator_missing: {
    title: 'Transactions wait for an operator whose key is missing.',
    toDo: 'Set its key in OPERATOR_KEYS again, or let another operator take over: docs/operators.md says how.',
  },
  voucher_key_missing: {
    title: 'Vouchers can’t be signed: their key is missing.',
    toDo: 'Set VOUCHER_KEY to the key that the signers were derived from: docs/keys.md says how it is found.',
  },
  broadcast_refused: {
    title: 'No node takes a transaction.',
    toDo: 'Look at what the nodes in RPC_URLS say. It is broadcast again by itself, and nothing is given up.',
  },
  row_stuck: {
    title: 'Something fails again and again.',
    toDo: 'Look for its id in the log of the service. It is tried again by itself, and holds up nothing else.',
  },
  worker_silent: {
    title: 'A worker doesn’t answer any more.',
    toDo: 'Look at its process and its log, and start it again. Other workers do its tasks meanwhile.',
  },
  nonce_taken: {
    title: 'A transaction that isn’t ours used an operator’s nonce.',
    toDo: 'Make sure that nothing else sends with this key. What was pushed out is sent again by itself.',
  },
  books_behind: {
    title: 'The books are behind the chain.',
    toDo: 'After a backup was put back this ends by itself: docs/restore.md says what happens meanwhile. Else find out what else sends with this key.',
  },
  unmatched_mint: {
    title: 'A delivery can’t be matched to its recipient.',
    toDo: 'See what was delivered (docs/restore.md), and settle the item: npm run restore -- --settle <item id>.',
  },
  reorg_too_deep: {
    title: 'A network undid blocks that were taken for final.',
    toDo: 'Compare the books with the chain: npm run verify.',
  },
  indexing_late: {
    title: 'What happens on a network is entered late.',
    toDo: 'Look at the nodes in RPC_URLS: they may lag or answer slowly. What is missing is entered by itself.',
  },
  node_of_other_chain: {
    title: 'A node belongs to another network.',
    toDo: 'Correct its address in RPC_URLS. It isn’t used until then.',
  },
  indexing_stuck: {
    title: 'What happens on the chain isn’t entered.',
    toDo: 'Look into the log of the service, and at the nodes in RPC_URLS.',
  },
  mint_without_log: {
    title: 'A transaction went through without its tokens.',
    toDo: 'Look at the transaction and at the collection’s contract. It is not sent again.',
  },
  foreign_mint: {
    title: 'Somebody else minted what was promised here.',
    toDo: 'Find out who may mint in this contract, and look at the open claims and purchases of the item.',
  },
  token_gone: {
    title: 'A token that was promised is out of our hands.',
    toDo: 'Look at the open claims and purchases of the item.',
  },
  return_refused: {
    title: 'A holder’s token can’t go back to its sender.',
    toDo: 'Agree with the sender. It stays with the operator until the transaction’s page, or POST /v1/transfers/{transfer_id}/return, tries again.',
  },
  deployment_unexpected: {
    title: 'A contract isn’t where it was deployed to.',
    toDo: 'Look at the transaction and at CONTRACTS in the settings, and deploy again.',
  },
  mail_failed: {
    title: 'A mail could not be delivered.',
    toDo: 'Check the mail settings. A claim’s mail can be sent again from its page in the dashboard.',
  },
  mail_stopped: {
    title: 'An address takes no more mail.',
    toDo: 'Ask the recipient for another address, or allow it again in the email settings.',
  },
  chain_down: {
    title: 'A network doesn’t answer.',
    toDo: 'Look at the nodes in RPC_URLS. What waits is sent by itself once one of them answers.',
  },
  purchase_unresolved: {
    title: 'A purchase needs a decision.',
    toDo: 'Open the purchase in the dashboard: refund it, or agree with the buyer.',
  },
  payment_mismatch: {
    title: 'A card payment isn’t the one that was ordered.',
    toDo: 'Compare the payment with the card provider’s dashboard.',
  },
  payment_disputed: {
    title: 'A buyer disputes a payment.',
    toDo: 'Answer the dispute in the card provider’s dashboard before its deadline.',
  },
  refund_stuck: {
    title: 'A refund doesn’t go through.',
    toDo: 'It is tried again by itself. Look at the balance of the card account, or refund it at the card provider.',
  },
  card_account_lost: {
    title: 'A card account was disconnected.',
    toDo: 'Connect it again in the dashboard. What was paid there and isn’t delivered is listed under purchases.',
  },
  account_recovering: {
    title: 'A card account has payments that the books don’t have.',
    toDo: 'They are entered by themselves, and refunds and expiries of the account go on afterwards. Was the database put back from a backup?',
  },
  purchase_recovered: {
    title: 'A paid purchase was lost from the books and is back.',
    toDo: 'Look in the card provider’s dashboard who bought it, and whether it was delivered. Then refund it in the dashboard, or say there that it was delivered.',
  },
  payment_lost: {
    title: 'A payment belongs to a listing that the books don’t have.',
    toDo: 'Look in the card provider’s dashboard who paid and whether it was delivered. Refund it there if it wasn’t.',
  },
  abuse_reported: {
    title: 'Something was reported as abuse.',
    toDo: 'Read what was said: npm run admin -- reports. Then close the report, or suspend the collection or organization (docs/abuse.md).',
  },
  newcomer: {
    title: 'A new organization waits for approval.',
    toDo: 'Approve it with npm run admin -- approve and its id, or leave it on test networks: docs/first-day.md says what it may do.',
  },
  webhook_disabled: {
    title: 'A webhook was disabled.',
    toDo: 'Once its receiver works again, enable it and replay what it missed.',
  },
} as const satisfies Record<AlarmKind, Words>

/** The words for a kind that this version doesn't know: another one may have written the alarm. */
const UNKNOWN: Words = { title: 'Something needs a person.', toDo: 'Look at it in the dashboard.' }

export const wordsOf = (kind: string): Words => (ALARM_WORDS as Record<string, Words>)[kind] ?? UNKNOWN
