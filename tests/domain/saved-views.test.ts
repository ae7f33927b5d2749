import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { deleteView } from '../../lib/members/saved-views/delete-view.ts'
import { listViews } from '../../lib/members/saved-views/list-views.ts'
import { renameView } from '../../lib/members/saved-views/rename-view.ts'
import { saveView } from '../../lib/members/saved-views/save-view.ts'
import { MOST_VIEWS, newView } from '../../lib/platform/api/saved-views.ts'
import { memberContext } from '../../lib/platform/auth/authenticate.ts'
import type { Context } from '../../lib/platform/auth/context.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeSession } from '../support/sessions.ts'

let mine: TestOrganization
let ctx: Context
let colleague: Context
let stranger: Context

const contextOf = async (userId: string) =>
  (await memberContext(await makeSession(userId), { requestId: 'test', clientAddress: '127.0.0.1' }))!

beforeAll(async () => {
  mine = await makeOrganization()
  ctx = await contextOf(mine.userId)
  const user = await systemClient().user.create({ data: { id: newId(), email: `${newId()}@example.com` } })
  await mine.ctx.db.member.create({
    data: { id: newId(), organizationId: mine.id, userId: user.id, role: 'VIEWER', joinedAt: new Date() },
  })
  colleague = await contextOf(user.id)
  stranger = await contextOf((await makeOrganization()).userId)
})

const locked = { list: 'items', name: 'Locked', query: 'locked=true' }
const namesOf = async (of: Context) => (await listViews(of)).map(({ list, name, query }) => `${list} ${name}: ${query}`)

describe('saved views', () => {
  test('a member finds what they saved, on every device, and nobody else does', async () => {
    const { id } = await saveView(ctx, locked)
    await saveView(ctx, { ...locked, list: 'listings', name: 'Ended', query: 'status=EXPIRED' })
    expect(await namesOf(await contextOf(mine.userId))).toEqual([
      'items Locked: locked=true',
      'listings Ended: status=EXPIRED',
    ])
    expect([await namesOf(colleague), await namesOf(stranger)]).toEqual([[], []])
    for (const other of [colleague, stranger]) {
      await expect(renameView(other, id, { name: 'Theirs' })).rejects.toMatchObject({ code: 'not_found' })
      await expect(deleteView(other, id)).rejects.toMatchObject({ code: 'not_found' })
      await saveView(other, { ...locked, query: 'locked=false' })
    }
    expect(await namesOf(ctx)).toContain('items Locked: locked=true')
    expect(await namesOf(colleague)).toEqual(['items Locked: locked=false'])
  })

  test('the same name replaces a view, a name that is taken is refused, and a deleted view can be saved again', async () => {
    const first = await saveView(ctx, { ...locked, name: 'A' })
    const again = await saveView(ctx, { ...locked, name: 'A', query: 'search=x' })
    expect(again).toEqual({ id: first.id, list: 'items', name: 'A', query: 'search=x' })
    const other = await saveView(ctx, { ...locked, name: 'B' })
    await expect(renameView(ctx, other.id, { name: 'A' })).rejects.toMatchObject({ code: 'name_taken' })
    await renameView(ctx, other.id, { name: 'C' })
    expect(await namesOf(ctx)).toEqual(expect.arrayContaining(['items A: search=x', 'items C: locked=true']))
    await deleteView(ctx, other.id)
    expect(await namesOf(ctx)).not.toContain('items C: locked=true')
    await expect(deleteView(ctx, other.id)).rejects.toMatchObject({ code: 'not_found' })
    await saveView(ctx, { ...locked, name: 'C' })
    expect(await namesOf(ctx)).toContain('items C: locked=true')
  })

  test('a list has so many views and no more, whoever saves at the same time', async () => {
    const one = await contextOf((await makeOrganization()).userId)
    const save = (at: number) => saveView(one, { ...locked, name: String(at) })
    for (let at = 1; at < MOST_VIEWS; at++) await save(at)
    const both = await Promise.allSettled([save(101), save(102)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await listViews(one)).toHaveLength(MOST_VIEWS)
    await saveView(one, { ...locked, name: '1', query: 'search=y' })
    await saveView(one, { ...locked, list: 'claims' })
  })

  test('a list is named by its path, and a view has a name', () => {
    const isValid = (given: object) => newView.safeParse({ ...locked, ...given }).success
    expect([{}, { list: '../x' }, { name: ' ' }, { name: 'x'.repeat(61) }, { query: '' }].map(isValid)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })
})
