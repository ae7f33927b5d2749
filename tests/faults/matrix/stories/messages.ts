import { expect } from 'vitest'
import { moveClock, resetClock } from '../../../../lib/core/clock.ts'
import { newId } from '../../../../lib/core/id.ts'
import { raiseAlarm, resolveAlarm } from '../../../../lib/records/alarms/raise-alarm.ts'
import { makeOrganization } from '../../../support/organization.ts'
import { makeWebhook, recordTestEvent } from '../../../support/webhooks.ts'
import { eventually } from '../stage.ts'
import { expectMails, type Story } from '../story.ts'

/** Tells a webhook of an event. */
export const webhook: Story = async () => {
  const organization = await makeOrganization()
  const { receiver, deliveries } = await makeWebhook(organization)
  return {
    organization,
    act: () => recordTestEvent(organization),
    check: async () => {
      await eventually('The delivery', async () => (await deliveries())[0]?.state === 'DELIVERED')
      expect(await deliveries()).toHaveLength(1)
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    },
  }
}

/** Tells an alarm to the owners, by mail, and to the operator, by webhook. */
export const alarm: Story = async (stage) => {
  const organization = await makeOrganization()
  const subject = newId()
  const posts = () => stage.operator.received.filter(({ json }) => json.organization_id === organization.id)
  return {
    organization,
    act: async () => {
      moveClock(-120_000)
      await raiseAlarm(organization.ctx, 'refund_stuck', subject, 'The card provider refused it.')
      resetClock()
    },
    check: async () => {
      await expectMails(stage.mailbox.mailsTo, organization.email, ['ALARM'])
      await eventually('The post', async () => posts().length > 0)
      expect(new Set(posts().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      await resolveAlarm(organization.ctx, 'refund_stuck', subject)
    },
  }
}
