import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../lib/platform/api/index.ts'
import { recordAudit, SECRET_NAMES } from '../../lib/records/audit/record-audit.ts'
import { differenceOf } from '../../lib/records/audit/show-audit-entry.ts'
import type { Context } from '../../lib/platform/auth/context.ts'
import { newId } from '../../lib/core/id.ts'
import { callerOf, code } from '../support/call.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'
import { UNAUDITED_OPERATIONS } from '../support/audit-entries.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
let collectionId: string

beforeAll(async () => {
  mine = await makeOrganization()
  api = callerOf(mine.key)
  collectionId = (await api.post('/v1/collections', { name: 'Night', description: 'Before' })).body.id
  await api.patch(`/v1/collections/${collectionId}`, { description: null })
  await api.patch(`/v1/organizations/${mine.id}`, { name: 'Museum of Dawn' })
})

const list = async (query = '') => (await api.get(`/v1/audit-entries?${query}`)).body
const actions = async (query: string) => (await list(query)).results.map((entry: { action: string }) => entry.action)

describe('audit entries', () => {
  test('entries are listed newest first with actor, subject, changed fields and client address', async () => {
    const { results, total_results } = await list()
    expect(total_results).toBe(3)
    expect(results[1]).toEqual({
      id: expect.any(String),
      actor: { type: 'api_key', id: mine.keyId, name: 'test' },
      action: 'collection.updated',
      subject: { type: 'collection', id: collectionId },
      before: { description: 'Before' },
      after: { description: null },
      request_id: expect.any(String),
      client_address: '127.0.0.1',
      created_at: expect.any(String),
    })
    expect(results[2]).toMatchObject({
      action: 'collection.created',
      before: null,
      after: { name: 'Night', is_public: true },
    })
  })

  test('a single entry shows all recorded fields, changed or not', async () => {
    const [, { id }] = (await list()).results
    const { body } = await api.get(`/v1/audit-entries/${id}`)
    expect(body).toMatchObject({
      id,
      before: { name: 'Night', description: 'Before' },
      after: { name: 'Night', description: null },
    })
  })

  test('a member is shown by their email', async () => {
    const asMember: Context = {
      ...mine.ctx,
      actor: {
        type: 'member',
        id: mine.memberId,
        userId: mine.userId,
        email: mine.email,
        permissions: [],
        session: { id: newId(), signedInAt: new Date(), passkeyId: null },
      },
    }
    const subject = { type: 'item', id: newId() }
    await recordAudit(asMember, { action: 'item.created', subject })
    await recordAudit(mine.ctx, { action: 'item.updated', subject })
    expect((await list(`subject_id=${subject.id}`)).results.map((entry: any) => entry.actor)).toEqual([
      { type: 'system', id: null, name: null },
      { type: 'member', id: mine.memberId, name: mine.email },
    ])
    expect(await actions(`actor_type=member`)).toEqual(['item.created'])
    expect(await actions(`actor_id=${mine.memberId}`)).toEqual(['item.created'])
  })

  test('entries are filtered by action or its prefix, actor, subject and time', async () => {
    expect(await actions('action=collection.')).toEqual(['collection.updated', 'collection.created'])
    expect(await actions('action=collection.created')).toEqual(['collection.created'])
    expect(await actions('action=collection_')).toEqual([])
    expect(await actions('subject_type=organization')).toEqual(['organization.updated'])
    expect(await actions(`subject_id=${collectionId}&actor_type=api_key`)).toHaveLength(2)
    const [{ created_at }] = (await list('action=collection.updated')).results
    expect(await actions(`action=collection.&from=${created_at}`)).toEqual(['collection.updated'])
    expect(await actions(`action=collection.&to=${created_at}`)).toEqual(['collection.created'])
    const page = await list('limit=1&action=collection.')
    expect(await actions(`limit=1&action=collection.&cursor=${page.cursor}`)).toEqual(['collection.created'])
    for (const bad of ['actor_type=robot', 'actor_id=x', 'from=yesterday'])
      expect(code(await api.get(`/v1/audit-entries?${bad}`))).toEqual([400, 'invalid_request'])
  })

  test('another organization’s entries are not listed, and reading needs the permission', async () => {
    const other = await makeOrganization()
    expect((await callerOf(other.key).get(`/v1/audit-entries?subject_id=${collectionId}`)).body.total_results).toBe(0)
    const { key } = await makeKey(mine, { permissions: ['collections:read'] })
    expect(code(await callerOf(key).get('/v1/audit-entries'))).toEqual([403, 'forbidden'])
  })
})

describe('recordAudit', () => {
  type Column = { model: string; name: string; type: string }
  const columns: Column[] = [
    ...readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8').matchAll(
      /^model (\w+) \{\n([\s\S]*?)^\}/gm,
    ),
  ].flatMap(([, model, fields]) =>
    [...fields!.matchAll(/^ {2}(\w+) +(\w+)/gm)].map(([, name, type]) => ({ model: model!, name: name!, type: type! })),
  )
  const byteColumns = columns.filter(({ type }) => type === 'Bytes')
  /** Columns with a secret-sounding name that hold no secret. */
  const NOT_SECRET = ['tokenId', 'tokenType', 'tokenIdAssignment', 'tokenContract', 'previousSecretUntil', 'imageCid']
  const secretColumns = columns.filter(
    ({ name, type }) =>
      type === 'String' && /secret|password|token$|apiKey$|seed$|pin$/i.test(name) && !NOT_SECRET.includes(name),
  )

  const recorded = async (after: object) => {
    const id = newId()
    await recordAudit(mine.ctx, {
      action: 'item.updated',
      subject: { type: 'item', id },
      before: after,
      after: { nested: [after], ...after },
    })
    const row = await mine.ctx.db.auditEntry.findFirstOrThrow({ where: { subjectId: id } })
    return JSON.stringify([row.before, row.after])
  }

  test('the schema has byte columns and secret columns to check', () => {
    expect([byteColumns.length, secretColumns.length].every((count) => count > 5)).toBe(true)
  })

  test.each(byteColumns.map(({ model, name }) => [`${model}.${name}`, name] as const))(
    'bytes of %s are left out',
    async (_, name) => {
      expect(await recorded({ [name]: new Uint8Array([83, 101, 99]), [`x${name}`]: Buffer.from('Sec'), kept: 1 })).toBe(
        '[{"kept":1},{"kept":1,"nested":[{"kept":1}]}]',
      )
    },
  )

  test.each(secretColumns.map(({ model, name }) => [`${model}.${name}`, name] as const))(
    'text of %s is left out',
    async (_, name) => {
      expect(await recorded({ [name]: 'hunter2' })).not.toContain('hunter2')
    },
  )

  test.each([...SECRET_NAMES])('a setting named %s is left out', async (name) => {
    expect(await recorded({ config: { [name]: 'hunter2' }, [name]: 'hunter2' })).not.toContain('hunter2')
  })

  test('dates are recorded as ISO strings', async () => {
    const at = new Date()
    expect(await recorded({ updatedAt: at, quantity: 12n, list: ['a'], none: null })).toContain(
      `"updated_at":"${at.toISOString()}","quantity":"12"`.split(',')[0],
    )
  })
})

test('differenceOf keeps the fields that differ, and a field present on one side on that side only', () => {
  expect(differenceOf({ a: 1, b: [1, { c: 2 }], removed: 1 }, { a: 1, b: [1, { c: 3 }], added: 2 })).toEqual({
    before: { b: [1, { c: 2 }], removed: 1 },
    after: { b: [1, { c: 3 }], added: 2 },
  })
  expect(differenceOf(null, { a: 1 })).toEqual({ before: null, after: { a: 1 } })
})

test('each operation exempt from the audit log exists, writes, and has a reason', () => {
  const writes = endpoints.filter(({ method, auth }) => method !== 'GET' && auth === 'api_key').map(({ id }) => id)
  for (const [id, reason] of Object.entries(UNAUDITED_OPERATIONS))
    expect([writes.includes(id), reason.endsWith('.')], id).toEqual([true, true])
})
