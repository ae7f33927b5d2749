import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { connectionsOf, disconnect, systemClient } from '../../lib/db/client.ts'
import { organizationTransaction } from '../../lib/db/organization-transaction.ts'
import { call, runAlone } from '../../lib/db/statements.ts'
import { beginIdempotent, type Idempotency, storedTogether } from '../../lib/platform/http/idempotency.ts'
import { asOwner } from '../support/as-owner.ts'
import { callerOf } from '../support/call.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makeKey, makeOrganization } from '../support/organization.ts'

const SCOPE = 'test'
const DAY_MS = 24 * 3600_000

afterEach(resetClock)

const begin = (key: string, content = 'body') =>
  beginIdempotent(SCOPE, key, content).catch((error: { code?: string }) => error.code)
const isTaken = (begun: Idempotency | string | undefined) => typeof begun === 'object' && begun.replay === null

async function storeAnswer(begun: Idempotency | string | undefined): Promise<void> {
  if (typeof begun !== 'object' || begun.replay) throw new Error('The key was not taken.')
  await begun.store({ status: 201, text: 'first' })
}

describe('keys of requests that come at once', () => {
  test('are taken in one round trip', async () => {
    const keys = Array.from({ length: 60 }, newId)
    const { result, roundTrips } = await countRoundTrips(() => Promise.all(keys.map((key) => begin(key))))
    expect(result.every(isTaken)).toBe(true)
    expect(roundTrips.filter((each) => each.includes('idempotency_records'))).toHaveLength(1)
    expect(await systemClient().idempotencyRecord.count({ where: { key: { in: keys } } })).toBe(60)
  })

  test('are each taken by one request, whichever batch the others came in', async () => {
    const keys = Array.from({ length: 20 }, newId)
    const begun = await Promise.all([...keys, ...keys.toReversed(), ...keys].map((key) => begin(key)))
    expect(begun.filter(isTaken)).toHaveLength(20)
    expect(begun.filter((each) => each === 'idempotency_in_flight')).toHaveLength(40)
  })

  test('give the answers that are stored, and refuse other contents', async () => {
    const keys = Array.from({ length: 10 }, newId)
    for (const begun of await Promise.all(keys.map((key) => begin(key)))) await storeAnswer(begun)
    const answers = await Promise.all(keys.map((key, at) => begin(key, at === 3 ? 'other' : 'body')))
    const replay = { replay: { status: 201, text: 'first' } }
    expect(answers).toEqual(keys.map((_, at) => (at === 3 ? 'idempotency_mismatch' : replay)))
  })

  test('of a request that died are taken over by one repeat after 30 seconds, and never by other contents', async () => {
    const [died, other] = [newId(), newId()]
    await Promise.all([died, other].map((key) => begin(key)))
    moveClock(31_000)
    const begun = await Promise.all([begin(died), begin(died), begin(other, 'other'), begin(newId())])
    expect(begun.slice(0, 2).filter(isTaken)).toHaveLength(1)
    expect(begun[2]).toBe('idempotency_mismatch')
    expect(isTaken(begun[3])).toBe(true)
  })

  test('are free again a day after their first use', async () => {
    const key = newId()
    await storeAnswer(await begin(key))
    moveClock(DAY_MS + 1)
    const begun = await Promise.all([begin(key, 'other'), begin(key, 'other')])
    expect(begun.filter(isTaken)).toHaveLength(1)
  })
})

test('freeing a key whose answer is stored keeps the answer: the request failed after its effect', async () => {
  const key = newId()
  const begun = await begin(key)
  await storeAnswer(begun)
  if (typeof begun !== 'object' || begun.replay) throw new Error('The key was not taken.')
  await begun.release()
  expect(await begin(key)).toEqual({ replay: { status: 201, text: 'first' } })
})

test('the same key of two organizations, and of two API keys of one, is a key of each', async () => {
  const [mine, other] = await Promise.all([makeOrganization(), makeOrganization()])
  const { key: another } = await makeKey(mine)
  const headers = { 'idempotency-key': newId() }
  const body = { name: 'Shop' }
  const answers = []
  for (const key of [mine.key, other.key, another])
    answers.push(await callerOf(key).post('/v1/api-keys', body, headers))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(answers.map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([null, null, null])
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(3)
  expect(await Promise.all([mine, other].map(({ ctx }) => ctx.db.apiKey.count({ where: body })))).toEqual([2, 1])
  const repeat = await callerOf(other.key).post('/v1/api-keys', body, headers)
  expect([repeat.body, repeat.headers.get('idempotent-replayed')]).toEqual([answers[1]!.body, 'true'])
})

test('a key is taken and freed without waiting for the disk, and an answer is stored durably', async () => {
  // Tests run without durable writes.
  const change = (what: string) =>
    asOwner(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I ${what}', current_database()); END $$`).then(disconnect)
  await change('SET synchronous_commit = on')
  await asOwner(`
    CREATE TABLE waits (write text, value text);
    GRANT INSERT, SELECT ON waits TO PUBLIC;
    CREATE FUNCTION note_wait() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO waits VALUES (TG_OP || CASE WHEN TG_OP = 'UPDATE' AND NEW.status IS NOT NULL THEN ' answer' ELSE '' END, current_setting('synchronous_commit'));
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_wait AFTER INSERT OR UPDATE OR DELETE ON idempotency_records FOR EACH ROW EXECUTE FUNCTION note_wait()`)
  onTestFinished(async () => {
    await asOwner('DROP TABLE waits; DROP FUNCTION note_wait CASCADE')
    await change('RESET synchronous_commit')
  })
  const [alone, together, freed] = await Promise.all([newId(), newId(), newId()].map((key) => begin(key)))
  await storeAnswer(alone)
  if (typeof together !== 'object' || together.replay) throw new Error('The key was not taken.')
  const { id } = await makeOrganization()
  await organizationTransaction(id, {}, (_, last) =>
    last(...storedTogether([together.storing({ status: 201, text: 'first' })])),
  )
  if (typeof freed !== 'object' || freed.replay) throw new Error('The key was not taken.')
  await freed.release()
  const noted = await systemClient()
    .$queryRaw`SELECT write, value, count(*)::int FROM waits GROUP BY 1, 2 ORDER BY 1, 2`
  expect(noted).toEqual([
    { write: 'DELETE', value: 'off', count: 1 },
    { write: 'INSERT', value: 'off', count: 3 },
    { write: 'UPDATE answer', value: 'on', count: 2 },
  ])
  const [after] = await runAlone(connectionsOf('vitrine_system'), [
    call({ name: 'test_waits', text: "SELECT current_setting('synchronous_commit') AS value" }),
  ])
  expect(after).toEqual([{ value: 'on' }])
})

test('a request whose key is lost in a crash of PostgreSQL changes nothing, and another one may have the key', async () => {
  const { id } = await makeOrganization()
  const key = newId()
  const lost = await begin(key)
  // What a crash leaves of a commit that is not on disk.
  await systemClient().idempotencyRecord.deleteMany({ where: { key } })
  const rename = async (begun: Idempotency | string | undefined, name: string) => {
    if (typeof begun !== 'object' || begun.replay) throw new Error('The key was not taken.')
    const statement = { name: 'test_rename', text: 'UPDATE organizations SET name = $2 WHERE id = $1::uuid' }
    const stored = storedTogether([begun.storing({ status: 201, text: name })])
    await organizationTransaction(id, {}, (_, last) => last(call(statement, id, name), ...stored))
  }
  await expect(rename(lost, 'alone')).rejects.toMatchObject({ code: 'VT008' })
  const repeat = await begin(key)
  await expect(rename(lost, 'beside its repeat')).rejects.toMatchObject({ code: 'VT008' })
  await rename(repeat, 'once')
  await expect(rename(lost, 'after its repeat')).rejects.toMatchObject({ code: 'VT008' })
  expect((await systemClient().organization.findUniqueOrThrow({ where: { id } })).name).toBe('once')
  expect(await begin(key)).toMatchObject({ replay: { status: 201, text: 'once' } })
})
