import type { Alarm } from '../../../generated/prisma/client.ts'

/** The data of events about an alarm. `resolvedAt`: when it was over for good; null while it is open. */
export const alarmEventOf = (alarm: Alarm, resolvedAt: Date | null) => ({
  alarm_id: alarm.id,
  kind: alarm.kind,
  subject: alarm.subject,
  detail: alarm.detail,
  opened_at: alarm.createdAt,
  resolved_at: resolvedAt,
})
