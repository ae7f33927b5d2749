import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { PERMISSIONS } from '../../lib/platform/api/permissions.ts'
import { callerOf, code } from '../support/call.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { makeCollection } from '../support/collections.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { importRowsOf, lines, mailbox, run } from '../support/imports.ts'
import { makePool } from '../support/listings.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

const items = (body: object) => api.post('/v1/items/import', body)
const claims = (body: object) => api.post('/v1/email-claims/import', body)
const rowsOf = (id: string, query?: string) => importRowsOf(api, id, query)

describe('imports', () => {
  test('how many lines wait is told without reading the lines', async () => {
    const collection_id = await makeCollection(api)
    const { id } = (await items({ collection_id, csv: lines('title', 'Wren', 'Owl', 'Rook') })).body
    const shown = await countRoundTrips(() => api.get(`/v1/imports/${id}`))
    expect(shown.result.body).toMatchObject({ state: 'JUDGED', waiting_count: 3 })
    expect(shown.roundTrips.filter((text) => /(FROM|public"\.)\W*import_rows/.test(text))).toEqual([])
  })

  test('cancelling skips the waiting lines, and a cancelled import cannot be started', async () => {
    const collection_id = await makeCollection(api)
    const checked = await items({ collection_id, csv: lines('title', 'A', 'B') })
    const cancelled = await api.post(`/v1/imports/${checked.body.id}/cancel`)
    expect([cancelled.status, cancelled.body.state, cancelled.body.waiting_count]).toEqual([200, 'CANCELLED', 0])
    expect(code(await api.post(`/v1/imports/${checked.body.id}/cancel`))).toEqual([409, 'import_not_ready'])
    expect(code(await api.post(`/v1/imports/${checked.body.id}/start`))).toEqual([409, 'import_not_ready'])
    expect(await run()).toBe(0)
    expect((await rowsOf(checked.body.id)).map(({ state, failure }) => [state, failure])).toEqual(
      Array(2).fill(['SKIPPED', 'The import was cancelled.']),
    )
  })

  test('rows are paged and filtered by verdict, and the outcome can be downloaded as CSV', async () => {
    const { collectionId: collection_id } = await makePool(mine, 1)
    const [ada, grace] = [mailbox(), mailbox()]
    const started = await claims({
      collection_id,
      csv: lines('Email,item,Note', `${ada},next,=HYPERLINK("x")`, `${grace},next,`),
      dry_run: false,
      skip_invalid: true,
      ignore_columns: ['Note'],
    })
    await run()
    const { id } = started.body
    const page = (await api.get(`/v1/imports/${id}/rows?limit=1`)).body
    expect([page.total_results, page.results[0].line, page.has_more]).toEqual([2, 2, true])
    const next = (await api.get(`/v1/imports/${id}/rows?limit=1&cursor=${page.cursor}`)).body
    expect([next.results[0].line, next.has_more]).toEqual([3, false])
    expect((await rowsOf(id, '&verdict=INVALID')).map(({ line }) => line)).toEqual([3])
    const result = await api.get(`/v1/imports/${id}/result.csv`)
    expect(result.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [claim] = await mine.ctx.db.emailClaim.findMany({ where: { collectionId: collection_id } })
    expect(result.body.split('\r\n')).toEqual([
      'Email,item,Note,import_line,import_verdict,import_state,import_reasons,import_result_id',
      `${ada},next,"'=HYPERLINK(""x"")",2,OK,DONE,,${claim!.id}`,
      `${grace},next,,3,INVALID,SKIPPED,item: No free item of the collection is left for this line.,`,
      '',
    ])
  })

  test('an import needs the permission to write what it makes', async () => {
    const { key } = await makeKey(mine, {
      permissions: PERMISSIONS.filter(
        (permission) => permission !== 'items:write' && permission !== 'email_claims:write',
      ),
    })
    const weak = callerOf(key)
    const collection_id = await makeCollection(api)
    const checked = await items({ collection_id, csv: lines('title', 'A') })
    const answers = [
      await weak.post('/v1/items/import', { collection_id, csv: lines('title', 'A') }),
      await weak.post('/v1/email-claims/import', { collection_id, csv: lines('email', 'ada@example.com') }),
      await weak.post(`/v1/imports/${checked.body.id}/start`),
    ]
    expect(answers.map(code)).toEqual(Array(3).fill([403, 'forbidden']))
  })

  test('another organization’s collection, item or campaign is not found', async () => {
    const other = await makeOrganization()
    const { itemId, collectionId } = await makeItem(other)
    const csv = lines('email,item', 'ada@example.com,next')
    for (const body of [{ collection_id: collectionId }, { item_id: itemId }, { campaign_id: newId() }])
      expect(code(await claims({ ...body, csv }))).toEqual([404, 'not_found'])
    expect(code(await items({ collection_id: collectionId, csv: 'title\nA' }))).toEqual([404, 'not_found'])
  })

  test('a request repeated with the same Idempotency-Key makes one import', async () => {
    const collection_id = await makeCollection(api)
    const send = () =>
      api.post(
        '/v1/items/import',
        { collection_id, csv: lines('title', 'A'), dry_run: false },
        { 'idempotency-key': collection_id },
      )
    const [first, again] = [await send(), await send()]
    expect([first.body.id, again.headers.get('idempotent-replayed')]).toEqual([again.body.id, 'true'])
    await run()
    expect(await mine.ctx.db.item.count({ where: { collectionId: collection_id } })).toBe(1)
  })
})
