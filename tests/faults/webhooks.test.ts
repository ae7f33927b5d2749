import { expect, test, vi } from 'vitest'
import { guardedPoster } from '../../lib/ports/egress/guarded-poster.ts'
import { systemClient } from '../../lib/db/client.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { makeOrganization } from '../support/organization.ts'
import { until } from '../support/until.ts'
import { recordTestEvent, makeWebhook } from '../support/webhooks.ts'
import { spawnWorker } from '../support/worker.ts'

// A worker process starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

test('worker killed between posting and recording: the next posts again with the same webhook-id', async () => {
  const env = { EGRESS_ALLOW: '127.0.0.1/32' }
  replacePorts({ poster: guardedPoster(['127.0.0.1/32']) })
  const organization = await makeOrganization()
  const { id, receiver, deliveries } = await makeWebhook(organization)
  await recordTestEvent(organization)
  const { ended } = spawnWorker({ env: {} }, { crashAt: 'webhook_posted', env })
  expect((await ended).signal).toBe('SIGKILL')
  expect(receiver.received).toHaveLength(1)
  expect((await deliveries())[0]).toMatchObject({
    state: 'PENDING',
    attempts: 0,
    postingUntil: expect.any(Date),
    log: [],
  })

  // Ends the one-minute lease of the delivery.
  await systemClient().webhookDelivery.updateMany({ where: { webhookId: id }, data: { postingUntil: new Date() } })
  const worker = spawnWorker({ env: {} }, { env })
  await until('The delivery', async () => (await deliveries())[0]!.state === 'DELIVERED')
  expect((await worker.stop()).code).toBe(0)
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
    receiver.received[0]!.json.id,
    receiver.received[0]!.json.id,
  ])
  expect((await deliveries())[0]).toMatchObject({ attempts: 1, postingUntil: null, log: [{ status: 200 }] })
})
