import type { Context } from '../../platform/auth/context.ts'

/** The indexer works on all organizations at once; what it tells the other verbs is one organization's. */
export const ofOrganization = (tx: Context, organizationId: string): Context => ({ ...tx, organizationId })
