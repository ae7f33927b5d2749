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
      await expect(renameView(other, id, { name: 'Theirs' }, { name: 'Locked' })).rejects.toMatchObject({
        code: 'not_found',
      })
      await expect(deleteView(other, id)).rejects.toMatchObject({ code: 'not_found' })
      await saveView(other, { ...locked, query: 'locked=false' })
    }
    expect(await namesOf(ctx)).toContain('items Locked: locked=true')
    expect(await namesOf(colleague)).toEqual(['items Locked: locked=false'])
  })

  test('filters replace those of the same name once a person knows of them, whoever saved them', async () => {
    const first = await saveView(ctx, { ...locked, name: 'A' })
    expect(await saveView(ctx, { ...locked, name: 'A' })).toEqual(first)
    const other = { ...locked, name: 'A', query: 'search=x' }
    const refused = { code: 'precondition_failed', opened: { name: 'A', query: 'locked=true' } }
    await expect(saveView(ctx, other)).rejects.toMatchObject(refused)
    await expect(saveView(ctx, other, { name: 'B', query: 'locked=true' })).rejects.toMatchObject(refused)
    expect(await namesOf(ctx)).toContain('items A: locked=true')
    expect(await saveView(ctx, other, refused.opened)).toEqual({ id: first.id, ...other })
    await expect(saveView(ctx, { ...other, query: 'search=y' }, refused.opened)).rejects.toMatchObject({
      opened: { name: 'A', query: 'search=x' },
    })
  })

  test('a view that another page renamed meanwhile keeps that name until a person knows of it', async () => {
    const { id } = await saveView(ctx, { ...locked, name: 'Old' })
    await renameView(ctx, id, { name: 'Theirs' }, { name: 'Old' })
    await expect(renameView(ctx, id, { name: 'Mine' }, { name: 'Old' })).rejects.toMatchObject({
      code: 'precondition_failed',
      meanwhile: [{ field: 'name', theirs: 'Theirs', yours: 'Mine' }],
      opened: { name: 'Theirs' },
    })
    expect(await namesOf(ctx)).toContain('items Theirs: locked=true')
    await renameView(ctx, id, { name: 'Mine' }, { name: 'Theirs' })
    expect(await namesOf(ctx)).toContain('items Mine: locked=true')
  })

  test('a name that is taken is refused, and a deleted view can be saved again', async () => {
    await saveView(ctx, { ...locked, name: 'D' })
    const other = await saveView(ctx, { ...locked, name: 'B' })
    await expect(renameView(ctx, other.id, { name: 'D' }, { name: 'B' })).rejects.toMatchObject({ code: 'name_taken' })
    await renameView(ctx, other.id, { name: 'C' }, { name: 'B' })
    expect(await namesOf(ctx)).toContain('items C: locked=true')
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
    await saveView(one, { ...locked, name: '1', query: 'search=y' }, { name: '1', query: 'locked=true' })
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
