import { newId } from '../../lib/core/id.ts'
import { moveClock, now } from '../../lib/core/clock.ts'
import { systemClient } from '../../lib/db/client.ts'
import { settleEscrows } from '../../lib/giving/settle-escrows.ts'
import { beforeEach, expect } from 'vitest'
import { call } from './call.ts'
import { catchUp, custodian, openClaim, organization, testChain, transactionsOf, worker } from './custody.ts'
import { accepted, getTransfer, makeHeld, signedBody } from './held-tokens.ts'

/** Prepares each test. One that moves the clock moves the chain, which doesn't go back. */
export function setUpEscrow(): void {
  beforeEach(async () => {
    await testChain.node.setAutomine(true)
    const { timestamp } = await testChain.client.getBlock()
    moveClock(Math.max(0, Number(timestamp) * 1000 - Date.now()))
  })
}

export const DAY_MS = 86_400_000
export const settle = () => settleEscrows(worker(), testChain.chain)
export const newMailbox = () => `${newId()}@example.com`

type Held = Awaited<ReturnType<typeof makeHeld>>

/** The clocks of this process and of the chain. */
export async function passTime(seconds: number) {
  moveClock(now().getTime() - Date.now() + seconds * 1000)
  await testChain.node.increaseTime({ seconds })
  await testChain.node.mine({ blocks: 1 })
  await catchUp()
}

export async function signedFor(held: Held, email: string, order: Parameters<typeof signedBody>[1] = {}) {
  const { body, data } = await signedBody(held, { to: custodian(), ...order })
  return { body: { ...body, email }, data }
}

/** A holder's token on its way to a mailbox, not sent yet. */
export async function makeSent(order: Parameters<typeof signedBody>[1] = {}) {
  const held = await makeHeld()
  const email = newMailbox()
  const { body, data } = await signedFor(held, email, order)
  const made = await accepted(body)
  return { ...held, email, body, data, id: made.id as string, itemId: held.itemIds[0]! }
}

/** The same, arrived at the operator, and entered. */
export async function makeArrived() {
  const sent = await makeSent()
  await sent.sender.run()
  await catchUp()
  return sent
}

/** The same, with the claim of its recipient. */
export async function makeOffered() {
  const arrived = await makeArrived()
  expect(await settle()).toBe(1)
  return { ...arrived, claim: await claimOf(arrived) }
}

export async function claimOf({ email }: { email: string }) {
  const { results } = (await call('GET', `/v1/email-claims?email=${email}`, { key: organization.key })).body
  expect(results).toHaveLength(1)
  const { id, claim_url, transfer_id } = results[0]
  return { ...(await openClaim({ id, claim_url, email })), transferId: transfer_id as string }
}

export const stateOf = async (id: string) => (await getTransfer(id)).escrow.state as string
export const mailsTo = (toEmail: string) => systemClient().outboxMessage.count({ where: { toEmail } })
export const alarmsOf = (kind: string, subject: string) =>
  organization.ctx.db.alarm.count({ where: { kind, subject, resolvedAt: null } })

export const handedOver = async (collectionId: string) =>
  (await transactionsOf(collectionId)).filter(({ txType }) => txType === 'TRANSFER_TOKEN').map(({ state }) => state)
