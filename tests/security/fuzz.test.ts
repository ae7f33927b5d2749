import { Agent, request as httpRequest } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { call } from '../support/call.ts'
import { installFakeChain } from '../support/claims.ts'
import { type Asked, frontDoor } from '../support/front-door.ts'
import { diceOf } from '../support/fuzz/dice.ts'
import { type Operation, operationsOf } from '../support/fuzz/document.ts'
import { type FuzzRequest, requestOf, type Setting } from '../support/fuzz/requests.ts'
import { installServices, PREPARATIONS } from '../support/good-requests.ts'
import { makeKey, makeOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'

/**
 * Requests by another seed are made by FUZZ_SEED=7 npm test -- tests/security/fuzz.test.ts; FUZZ_REQUESTS makes more of
 * them.
 */
const SEED = Number(process.env.FUZZ_SEED ?? 14)
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 3_000)
/** Requests change and delete rows, so that new ones are needed. */
const REQUESTS_A_SETTING = 250
const AT_ONCE = 4

const operations = [...operationsOf('public'), ...operationsOf('admin')]

beforeAll(async () => {
  installFakeChain()
  await installServices()
})

async function makeSetting(): Promise<Setting> {
  const mine = await makeOrganization()
  const [rows, foreign] = [await makeRows(mine), await makeRows(await makeOrganization())]
  // A claim has its unit, else the service would wait for the chain to give it back.
  const { id: holderId, collectionId, itemId } = await mine.ctx.db.emailClaim.findFirstOrThrow({})
  await mine.ctx.db.hold.create({
    data: { id: newId(), organizationId: mine.id, collectionId, itemId, holderType: 'CLAIM', holderId, quantity: 1n },
  })
  // What revokes a key or removes a member must not end the requests after it.
  rows.api_key_id = (await makeKey(mine)).keyId
  const otherKeys = [(await makeKey(mine, { mode: 'LIVE' })).key, (await makeOrganization({ role: 'VIEWER' })).key]
  // Rows that were made without what the operations keep beside them.
  await mine.ctx.db.emailIntegration.deleteMany({})
  const { body } = await PREPARATIONS.A1!(mine)
  rows.integration_id = (await call('POST', '/v1/email-integrations', { key: mine.key, body })).body.id as string
  await mine.ctx.db.mintRequest.updateMany({ data: { requestNumber: 1_000_000n } })
  return { rows, foreign, key: mine.key, otherKeys }
}

function send(port: number, agent: Agent, { method, url, headers, body }: FuzzRequest): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const length = body ? { 'content-length': String(body.length) } : {}
    const options = { host: '127.0.0.1', port, agent, method, path: url, headers: { ...headers, ...length } }
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const answered = response.headers as Record<string, string>
        resolve({ status: response.statusCode!, headers: answered, body: bytes.toString(), bytes })
      })
    })
    request.on('error', reject)
    request.end(body ?? undefined)
  })
}

/** What is wrong with an answer, or null. */
function faultOf(operation: Operation, { isDescribed, url, headers }: FuzzRequest, answer: Asked): string | null {
  if (answer.status >= 500) return 'The server failed.'
  if (answer.headers['x-next']) return null // no path of an API
  if (!answer.headers['request-id']) return 'There is no Request-Id.'
  if (url.startsWith('/public/v1') && answer.headers['access-control-allow-origin'] !== '*') return 'There is no CORS.'
  if (answer.headers['content-encoding'] || answer.status === 304)
    return headers['if-none-match'] || headers['accept-encoding'] ? null : 'Nobody asked for this.'
  if (isDescribed) return operation.faultOf(answer)
  return answer.status < 300 || answer.headers['content-type'] === 'application/problem+json'
    ? null
    : 'This is no problem document.'
}

test(
  `${REQUESTS} requests, most of them wrong: none fails, and every answer is as the documents say`,
  { timeout: 600_000 },
  async () => {
    const { port } = await frontDoor()
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
    const faults: object[] = []
    let successes = 0
    let setting = await makeSetting()
    const run = async (at: number) => {
      const operation = operations[at % operations.length]!
      const request = requestOf(operation, setting, diceOf(SEED * 1_000_003 + at))
      const answer = await send(port, agent, request)
      if (answer.status < 300) successes++
      const fault = faultOf(operation, request, answer)
      const { method, url, headers } = request
      if (fault)
        faults.push({
          at,
          fault,
          operation: operation.name,
          asked: { method, url, headers, body: request.body?.toString().slice(0, 400) },
          status: answer.status,
          body: answer.body.slice(0, 400),
        })
    }
    for (let from = 0; from < REQUESTS; from += REQUESTS_A_SETTING) {
      if (from > 0) setting = await makeSetting()
      let next = from
      const until = Math.min(from + REQUESTS_A_SETTING, REQUESTS)
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          while (next < until) await run(next++)
        }),
      )
    }
    agent.destroy()
    expect(faults).toEqual([])
    // Else the requests would be refused before they reach what they should try.
    expect(successes).toBeGreaterThan(REQUESTS / 10)
  },
)
