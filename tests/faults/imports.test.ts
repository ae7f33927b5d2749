import { beforeAll, expect, test, vi } from 'vitest'
import type { CrashPoint } from '../../lib/core/crash.ts'
import { newId } from '../../lib/core/id.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeItem } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { until } from '../support/until.ts'
import { spawnWorker } from '../support/worker.ts'

let testChain: TestChain
let organization: TestOrganization

// A worker process starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
})

const POINTS: CrashPoint[] = ['lines_done', 'lines_settled']

test.each(POINTS)(
  'worker killed at %s during an import, then restarted: one claim and one mail per line',
  async (crashAt) => {
    const { itemId } = await makeItem(organization, { tokenType: 'ERC1155', maxSupply: 1000n })
    const recipients = Array.from({ length: 450 }, () => `${newId()}@example.com`)
    const api = callerOf(organization.key)
    const { status, body } = await api.post('/v1/email-claims/import', {
      item_id: itemId,
      csv: ['email', ...recipients].join('\n'),
      dry_run: false,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(await spawnWorker(testChain, { crashAt }).ended).toMatchObject({ signal: 'SIGKILL' })
    const { ctx } = organization
    expect(await ctx.db.emailClaim.count({ where: { itemId } })).toBe(crashAt === 'lines_done' ? 0 : 200)
    spawnWorker(testChain)
    await until('The import', async () => (await api.get(`/v1/imports/${body.id}`)).body.state === 'COMPLETED')
    expect((await api.get(`/v1/imports/${body.id}`)).body).toMatchObject({
      done_count: 450,
      failed_count: 0,
      waiting_count: 0,
    })
    const claims = await ctx.db.emailClaim.findMany({ where: { itemId } })
    expect(claims.map(({ email }) => email).sort()).toEqual([...recipients].sort())
    const mails = await ctx.db.outboxMessage.findMany({ where: { toEmail: { in: recipients } } })
    expect(mails.map(({ toEmail }) => toEmail).sort()).toEqual([...recipients].sort())
  },
)
