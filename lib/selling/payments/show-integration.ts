import type { z } from 'zod'
import type { PaymentIntegration } from '../../../generated/prisma/client.ts'
import type { paymentIntegration } from '../../platform/api/payments.ts'

export const paymentIntegrationOf = (row: PaymentIntegration): z.output<typeof paymentIntegration> => ({
  id: row.id,
  provider: 'CARD_PROVIDER',
  mode: row.mode,
  adapter: row.adapter,
  status: row.status,
  account_id: row.accountId,
  charges_enabled: row.chargesEnabled,
  requirements: row.requirements,
  refreshed_at: row.refreshedAt,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})
