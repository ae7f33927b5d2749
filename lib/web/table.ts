import type { Handler } from '../platform/http/serve.ts'
import * as abuseReports from './abuse-reports.ts'
import * as allowLists from './allow-lists.ts'
import * as analytics from './analytics.ts'
import * as apiKeys from './api-keys.ts'
import * as auditEntries from './audit-entries.ts'
import * as campaigns from './campaigns.ts'
import * as changes from './changes.ts'
import * as collections from './collections.ts'
import * as deployments from './deployments.ts'
import * as emailClaims from './email-claims.ts'
import * as emailIntegrations from './email-integrations.ts'
import * as emailTemplates from './email-templates.ts'
import * as eventLog from './event-log.ts'
import * as exported from './exports.ts'
import * as history from './history.ts'
import * as imports from './imports.ts'
import * as itemTypes from './item-types.ts'
import * as items from './items.ts'
import * as linkMails from './link-mails.ts'
import * as listings from './listings.ts'
import * as localeChoices from './locale-choices.ts'
import * as me from './me.ts'
import * as media from './media.ts'
import * as members from './members.ts'
import * as mintRequests from './mint-requests.ts'
import * as mintVouchers from './mint-vouchers.ts'
import * as organizations from './organizations.ts'
import * as paymentTokens from './payment-tokens.ts'
import * as payments from './payments.ts'
import * as perks from './perks.ts'
import * as publicClaims from './public-claims.ts'
import * as purchaseChallenges from './purchase-challenges.ts'
import * as purchaseDecisions from './purchase-decisions.ts'
import * as purchases from './purchases.ts'
import * as reveals from './reveals.ts'
import * as search from './search.ts'
import * as snapshots from './snapshots.ts'
import * as transactions from './transactions.ts'
import * as transfers from './transfers.ts'
import * as wallets from './wallets.ts'
import * as webhooks from './webhooks.ts'

/** Every endpoint with the verb that serves it. The front door answers from this table; a route file takes its own handlers from its area. */
export const handlers: readonly Handler[] = [
  abuseReports,
  allowLists,
  analytics,
  apiKeys,
  auditEntries,
  campaigns,
  changes,
  collections,
  deployments,
  emailClaims,
  emailIntegrations,
  emailTemplates,
  eventLog,
  exported,
  history,
  imports,
  itemTypes,
  items,
  linkMails,
  localeChoices,
  listings,
  me,
  media,
  members,
  mintRequests,
  mintVouchers,
  organizations,
  paymentTokens,
  payments,
  perks,
  publicClaims,
  purchaseChallenges,
  purchaseDecisions,
  purchases,
  reveals,
  search,
  snapshots,
  transactions,
  transfers,
  wallets,
  webhooks,
].flatMap(({ handlers }) => Object.values<Handler>(handlers))
