import { raiseAlarm, resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { AbuseReport } from '../../../generated/prisma/client.ts'

/** The reports of one subject share an alarm: a flood of them is told once. */
const alarmSubjectOf = ({ subjectType, subjectId }: Pick<AbuseReport, 'subjectType' | 'subjectId'>) =>
  `${subjectType} ${subjectId}`

/** Raises the operator's alarm about a report. It belongs to the installation, so its organization isn't told. */
export async function tellReport(worker: SystemContext, id: string): Promise<void> {
  const report = await worker.db.abuseReport.findFirst({ where: { id, closedAt: null } })
  if (!report) return
  const { organizationId, subjectType, subjectId, reason } = report
  const organization = await worker.db.organization.findUnique({
    where: { id: organizationId },
    select: { name: true },
  })
  await raiseAlarm(
    worker,
    'abuse_reported',
    alarmSubjectOf(report),
    `Of ${organization?.name ?? 'an organization'} (${organizationId}), ` +
      `the ${subjectType.toLowerCase()} ${subjectId} was reported: ${reason}.`,
  )
}

/** Ends the alarm once no report of the subject is open. */
export async function resolveReported(
  tx: SystemContext,
  subject: Pick<AbuseReport, 'subjectType' | 'subjectId'>,
): Promise<void> {
  const { subjectType, subjectId } = subject
  const open = await tx.db.abuseReport.count({ where: { subjectType, subjectId, closedAt: null } })
  if (open === 0) await resolveAlarm(tx, 'abuse_reported', alarmSubjectOf(subject))
}
