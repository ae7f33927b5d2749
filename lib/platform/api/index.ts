import type { Endpoint } from './endpoint.ts'
import * as abuseReports from './abuse-reports.ts'
import * as itemTypes from './item-types.ts'
import * as items from './items.ts'
import * as collections from './collections.ts'
import * as deployments from './deployments.ts'
import * as reveals from './reveals.ts'
import * as campaigns from './campaigns.ts'
import * as emailTemplates from './email-templates.ts'
import * as emailWords from './email-words.ts'
import * as analytics from './analytics.ts'
import * as apiKeys from './api-keys.ts'
import * as changes from './changes.ts'
import * as emailClaims from './email-claims.ts'
import * as emailIntegrations from './email-integrations.ts'
import * as eventLog from './event-log.ts'
import * as exported from './exports.ts'
import * as history from './history.ts'
import * as imports from './imports.ts'
import * as linkMails from './link-mails.ts'
import * as localeChoices from './locale-choices.ts'
import * as me from './me.ts'
import * as members from './members.ts'
import * as media from './media.ts'
import * as mintRequests from './mint-requests.ts'
import * as mintVouchers from './mint-vouchers.ts'
import * as payments from './payments.ts'
import * as publicClaims from './public-claims.ts'
import * as listings from './listings.ts'
import * as allowLists from './allow-lists.ts'
import * as organizations from './organizations.ts'
import * as paymentTokens from './payment-tokens.ts'
import * as search from './search.ts'
import * as snapshots from './snapshots.ts'
import * as perks from './perks.ts'
import * as purchases from './purchases.ts'
import * as purchaseDecisions from './purchase-decisions.ts'
import * as purchaseChallenges from './purchase-challenges.ts'
import * as transactions from './transactions.ts'
import * as transferBudgets from './transfer-budgets.ts'
import * as transfers from './transfers.ts'
import * as wallets from './wallets.ts'
import * as webhooks from './webhooks.ts'
import * as auditEntries from './audit-entries.ts'

/** The modules that define endpoints. Every endpoint that one of them exports is listed. */
const modules: readonly Record<string, unknown>[] = [
  me,
  members,
  search,
  media,
  snapshots,
  paymentTokens,
  organizations,
  listings,
  allowLists,
  analytics,
  apiKeys,
  changes,
  linkMails,
  localeChoices,
  emailClaims,
  emailWords,
  emailIntegrations,
  publicClaims,
  mintVouchers,
  history,
  imports,
  exported,
  collections,
  deployments,
  reveals,
  items,
  itemTypes,
  transactions,
  transfers,
  transferBudgets,
  mintRequests,
  perks,
  purchases,
  purchaseDecisions,
  purchaseChallenges,
  payments,
  wallets,
  webhooks,
  eventLog,
  auditEntries,
  campaigns,
  emailTemplates,
  abuseReports,
]

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value

/** All endpoints by the names they are exported under, which are those of the client's methods (packages/client). */
export const operations: ReadonlyMap<string, Endpoint> = new Map(
  modules
    .flatMap((module) => Object.entries(module))
    .filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
)

/** All endpoints. The OpenAPI documents, the docs page and the generated tests are made from this list. */
export const endpoints: readonly Endpoint[] = [...operations.values()]
