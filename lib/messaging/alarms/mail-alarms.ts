import { type Alarm, type AlarmNotice, Prisma } from '../../../generated/prisma/client.ts'
import { inTransaction, within, type SystemContext } from '../../platform/auth/context.ts'
import { MINUTE, secondsFrom } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { momentOf } from '../../core/day.ts'
import type { Locale } from '../../core/locales.ts'
import { log } from '../../core/log.ts'
import { isDatabaseDown } from '../../db/errors.ts'
import { writeMails } from '../outbox/write-mail.ts'
import { type Reader, readersOf } from '../readers-of.ts'
import type { AlarmLine, TemplateVariables } from '../templates/mail-variables.ts'
import { filled, memberWords } from '../templates/mail-words.ts'
import { pluralOf } from '../templates/icu-to-mustache.ts'
import { alarmWords } from './alarm-words.ts'
import { type Operator, operatorOf } from './operator.ts'

/**
 * Notices of one kind go to the same readers at most once in this time. Those that come meanwhile are in the next mail
 * to them.
 */
const SAME_KIND_SECONDS = 15 * MINUTE
/** The most alarms that one mail lists; the others are counted. */
const MAX_LISTED = 20

/** Whose mail it is: the owners of an organization, or (null) the operator. */
type Readers = { organizationId: string | null }
/** A notice with its alarm and the name of the alarm's organization, where the reader sees several. */
type Told = { notice: AlarmNotice; alarm: Alarm; about: string | null }

/** Writes one mail to each of a group of readers for whom notices wait, in their language. Returns how many groups. */
export async function mailAlarms(worker: SystemContext, operator: Operator = operatorOf()): Promise<number> {
  const due = await findReaders(worker)
  for (const readers of due)
    await inTransaction(worker, (tx) => mailReaders(tx, readers, operator)).catch((error: unknown) => {
      if (isDatabaseDown(error)) throw error
      log.error({ error, ...readers }, 'A mail about alarms could not be written; it is tried again.')
    })
  return due.length
}

const findReaders = (worker: SystemContext): Promise<Readers[]> =>
  worker.sql<Readers>(Prisma.sql`
    SELECT DISTINCT CASE WHEN n.channel = 'OWNERS' THEN n.organization_id::text END AS "organizationId"
    FROM alarm_notices n
    WHERE n.told_at IS NULL AND n.channel IN ('OWNERS', 'OPERATOR')
      AND NOT EXISTS (SELECT 1 FROM alarm_notices m
        WHERE m.channel = n.channel
          AND m.told_at > ${secondsFrom(worker.now(), -SAME_KIND_SECONDS).toISOString()}::timestamptz
          AND m.kind = n.kind AND m.change = n.change
          AND (n.channel = 'OPERATOR' OR m.organization_id = n.organization_id))`)

async function mailReaders(tx: SystemContext, { organizationId }: Readers, operator: Operator): Promise<void> {
  const notices = await tx.db.alarmNotice.updateManyAndReturn({
    where: {
      toldAt: null,
      ...(organizationId === null ? { channel: 'OPERATOR' } : { channel: 'OWNERS', organizationId }),
    },
    data: { toldAt: tx.now() },
  })
  const told = await readTold(tx, notices, organizationId === null)
  if (told.length === 0) return
  const mails = (await findMailed(tx, organizationId, operator)).map(({ email, locale, reason }) => ({
    templateType: 'ALARM' as const,
    to: email,
    locale,
    variables: { ...summaryOf(told, locale), dashboard_url: `${tx.ports.addresses.origin}/dashboard`, reason },
  }))
  if (organizationId === null) await writeMails(tx, mails)
  else await within(tx, organizationId, (own) => writeMails(own, mails))
  crashPoint('alarm_mailed')
}

/** Who is mailed, each with the sentence why. */
async function findMailed(
  tx: SystemContext,
  organizationId: string | null,
  { email, locale }: Operator,
): Promise<(Reader & { reason: string })[]> {
  if (organizationId === null) return email ? [{ email, locale, reason: memberWords(locale).alarm.asOperator }] : []
  const { organizationName, readers } = await readersOf(tx, organizationId, ['OWNER'])
  return readers.map((reader) => {
    const { asOwner } = memberWords(reader.locale).alarm
    return { ...reader, reason: filled(asOwner, reader.locale, { organization_name: organizationName }) }
  })
}

/** The notices with their alarms, oldest first. Where an alarm's end is among them, its opening is left out. */
async function readTold(tx: SystemContext, notices: readonly AlarmNotice[], named: boolean): Promise<Told[]> {
  const alarms = await tx.db.alarm.findMany({ where: { id: { in: notices.map(({ alarmId }) => alarmId) } } })
  const alarmOf = new Map(alarms.map((alarm) => [alarm.id, alarm]))
  const over = new Set(notices.filter(({ change }) => change === 'RESOLVED').map(({ alarmId }) => alarmId))
  const organizations = named
    ? await tx.db.organization.findMany({
        where: { id: { in: alarms.flatMap(({ organizationId }) => organizationId ?? []) } },
        select: { id: true, name: true },
      })
    : []
  const names = new Map(organizations.map(({ id, name }) => [id, name]))
  return notices
    .filter(({ change, alarmId }) => change === 'RESOLVED' || !over.has(alarmId))
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    .flatMap((notice) => {
      const alarm = alarmOf.get(notice.alarmId)
      return alarm ? [{ notice, alarm, about: names.get(alarm.organizationId ?? '') ?? null }] : []
    })
}

function summaryOf(
  told: readonly Told[],
  locale: Locale,
): Pick<TemplateVariables['ALARM'], 'headline' | 'opened' | 'ended' | 'more'> {
  const listed = told.slice(0, MAX_LISTED)
  const linesOf = (change: AlarmNotice['change']) =>
    listed.filter(({ notice }) => notice.change === change).map((each) => lineOf(each, locale))
  const more = told.length - listed.length
  return {
    headline: headlineOf(told, locale),
    opened: linesOf('OPENED'),
    ended: linesOf('RESOLVED'),
    more: more > 0 ? new Intl.NumberFormat(locale).format(more) : null,
  }
}

function headlineOf(told: readonly Told[], locale: Locale): string {
  const words = memberWords(locale).alarm
  const [first] = told
  const ended = told.filter(({ notice }) => notice.change === 'RESOLVED').length
  const opened = told.length - ended
  if (told.length === 1 && first) {
    const title = alarmWords(first.alarm.kind, locale).title.replace(/[.。]$/, '')
    return filled(ended > 0 ? words.oneOver : words.one, locale, { title })
  }
  const text = opened === 0 ? words.over : ended === 0 ? words.news : words.newsAndOver
  return filled(text, locale, { ...numberOf('opened', opened, locale), ...numberOf('ended', ended, locale) })
}

/** One is missing, as in every mail. */
const numberOf = (name: string, number: number, locale: Locale) =>
  number > 1 ? pluralOf(name, String(number), locale) : {}

function lineOf({ notice, alarm, about }: Told, locale: Locale): AlarmLine {
  const { title, toDo } = alarmWords(alarm.kind, locale)
  return {
    title:
      about === null ? title : filled(memberWords(locale).alarm.about, locale, { organization_name: about, title }),
    detail: alarm.detail,
    since: momentOf(alarm.createdAt, locale),
    until: notice.endedAt && momentOf(notice.endedAt, locale),
    to_do: notice.change === 'OPENED' ? toDo : null,
  }
}
