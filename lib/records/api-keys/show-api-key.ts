import type { z } from 'zod'
import type { ApiKey } from '../../../generated/prisma/client.ts'
import type { apiKey } from '../../platform/api/api-keys.ts'
import { PERMISSIONS } from '../../platform/api/permissions.ts'

export const apiKeyOf = (row: ApiKey): z.output<typeof apiKey> => ({
  id: row.id,
  name: row.name,
  prefix: `vt_${row.mode.toLowerCase()}_${row.shortId}`,
  permissions: PERMISSIONS.filter((permission) => row.permissions.includes(permission)),
  mode: row.mode,
  member_id: row.memberId,
  expires_at: row.expiresAt,
  last_used_at: row.lastUsedAt,
  created_at: row.createdAt,
})
