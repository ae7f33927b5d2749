import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { callerOf } from '../support/call.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { counts, importRowsOf, lines, mailbox, reasons, run, verdicts } from '../support/imports.ts'
import { makePool } from '../support/listings.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  mine = await makeOrganization()
  api = callerOf(mine.key)
})
beforeEach(() => {
  installFakeChain()
  resetClock()
})

const claims = (body: object) => api.post('/v1/email-claims/import', body)
const rowsOf = (id: string, query?: string) => importRowsOf(api, id, query)

describe('claim import', () => {
  test('each line gets a verdict, and each OK line sends exactly one mail', async () => {
    const { collectionId: collection_id, itemIds: ids } = await makePool(mine, 3)
    const unlocked = await makeItem(mine, { locked: false })
    const [ada, grace] = [mailbox(), mailbox()]
    const csv = lines(
      'E-Mail;Item ID;Quantity;Wishes',
      `${ada.toUpperCase()};${ids[0]};;x`,
      `${ada};${ids[0]!.toUpperCase()};1;`,
      `${grace};${ids[0]};;`,
      `nobody;${ids[1]};;`,
      `${grace};${newId()};;`,
      `${grace};${unlocked.itemId};;`,
      `${grace};${ids[1]};2;`,
      `${grace};${ids[1]};;`,
      `${grace};;;`,
    )
    const checked = await claims({ collection_id, csv, tx_payer: 'BUYER' })
    expect(verdicts(checked)).toEqual([
      'OK',
      'DUPLICATE',
      'INVALID',
      'INVALID',
      'INVALID',
      'INVALID',
      'INVALID',
      'OK',
      'INVALID',
    ])
    expect(checked.body.columns.at(-1)).toEqual({ name: 'Wishes', means: null })
    expect([3, 4, 5, 6, 7, 8, 10].map((line) => reasons(checked, line))).toEqual([
      'The same email gets the same item in line 2.',
      'Item ID: No unit of this item is left for this line.',
      'E-Mail: This is not an email address.',
      'Item ID: There is no such item.',
      'Item ID: Lock the item first: only locked items can be sent.',
      'There is one unit of each item of an ERC-721 collection.',
      'item: Say which item: by item_id, by token_id, or next for the next free one.',
    ])
    expect(await mine.ctx.db.emailClaim.count({ where: { collectionId: collection_id } })).toBe(0)
    await api.post(`/v1/imports/${checked.body.id}/start`, { skip_invalid: true, ignore_columns: ['Wishes'] })
    await run()
    const sent = await mine.ctx.db.emailClaim.findMany({
      where: { collectionId: collection_id },
      orderBy: { id: 'asc' },
    })
    expect(sent.map(({ email, itemId, txPayer }) => [email, itemId, txPayer])).toEqual([
      [ada, ids[0], 'BUYER'],
      [grace, ids[1], 'BUYER'],
    ])
    expect(await mine.ctx.db.outboxMessage.count({ where: { toEmail: { in: [ada, grace] } } })).toBe(2)

    const again = await claims({ collection_id, csv, ignore_columns: ['Wishes'] })
    expect(
      again.body.rows.map((row: { verdict: string }) => row.verdict).filter((verdict: string) => verdict === 'OK'),
    ).toEqual([])
    expect(reasons(again, 2)).toBe('This email has the item, or a link to it, already.')
  })

  test('a line is compared with one far before it, and counts the units that it took', async () => {
    const { collectionId: collection_id, itemIds: ids } = await makePool(mine, 2)
    const [ada, grace] = [mailbox(), mailbox()]
    const between = Array.from({ length: 1_100 }, () => `nobody,${ids[0]}`)
    const csv = lines(
      'email,item',
      `${ada},${ids[0]}`,
      `${ada},next`,
      ...between,
      `${ada},1`,
      `${grace},next`,
      `${grace},2`,
    )
    const checked = await claims({ collection_id, csv })
    expect(counts(checked)).toEqual([2, 1, 1_102])
    const last = (await api.get(`/v1/imports/${checked.body.id}/rows?limit=3&order_direction=DESC`)).body.results
    expect(last.map(({ line, reasons: why }: { line: number; reasons: string[] }) => [line, ...why])).toEqual([
      [1_106, 'item: No unit of this item is left for this line.'],
      [1_105, 'item: No free item of the collection is left for this line.'],
      [1_104, 'The same email gets the same item in line 2.'],
    ])
  })

  test('“next” gives each email one free item, lowest token id first, and never a second one', async () => {
    const { collectionId: collection_id, itemIds: ids } = await makePool(mine, 3)
    const people = [mailbox(), mailbox(), mailbox(), mailbox()]
    const checked = await claims({
      collection_id,
      csv: lines(
        'email,item',
        `${people[0]},NEXT`,
        `${people[0]},next`,
        `${people[1]},next`,
        `${people[2]},2`,
        `${people[3]},next`,
      ),
    })
    expect(verdicts(checked)).toEqual(['OK', 'DUPLICATE', 'OK', 'OK', 'INVALID'])
    expect(reasons(checked, 6)).toBe('item: No free item of the collection is left for this line.')
    await api.post(`/v1/imports/${checked.body.id}/start`, { skip_invalid: true })
    await run()
    const rows = await rowsOf(checked.body.id)
    // “next” took the item that a later line names, so that line fails.
    expect(rows.map(({ state }) => state)).toEqual(['DONE', 'SKIPPED', 'DONE', 'FAILED', 'SKIPPED'])
    expect(rows[3]!.failure).toBe('Not enough units of this item are left.')
    const sent = await mine.ctx.db.emailClaim.findMany({
      where: { collectionId: collection_id },
      orderBy: { id: 'asc' },
    })
    expect(sent.map(({ itemId }) => itemId)).toEqual([ids[0], ids[1]])
    expect(verdicts(await claims({ collection_id, csv: lines('email,item', `${people[1]},next`) }))).toEqual([
      'DUPLICATE',
    ])
    expect((await api.get(`/v1/imports/${checked.body.id}`)).body).toMatchObject({
      state: 'COMPLETED',
      done_count: 2,
      failed_count: 1,
    })
  })

  test('claims of one item are limited to its units, and each line may set its own expiry', async () => {
    const { itemId: item_id } = await makeItem(mine, { tokenType: 'ERC1155', maxSupply: 5n })
    const csv = lines(
      'email,qty,expires',
      `${mailbox()},3,2099-01-31`,
      `${mailbox()},3,`,
      `${mailbox()},2,2001-01-01`,
      `${mailbox()},2,soon`,
      `${mailbox()},2,`,
    )
    const checked = await claims({ item_id, csv })
    expect(verdicts(checked)).toEqual(['OK', 'INVALID', 'INVALID', 'INVALID', 'OK'])
    expect([reasons(checked, 3), reasons(checked, 4)]).toEqual([
      'item_id: Only 2 of this item are left for this line.',
      'expires: This time has passed.',
    ])
    await api.post(`/v1/imports/${checked.body.id}/start`, { skip_invalid: true })
    await run()
    const sent = await mine.ctx.db.emailClaim.findMany({ where: { itemId: item_id }, orderBy: { id: 'asc' } })
    expect(sent.map(({ quantity }) => quantity)).toEqual([3n, 2n])
    expect(sent[0]!.expiresAt).toEqual(new Date('2099-01-31T23:59:59Z'))
  })

  test('a suppressed email is INVALID at the check, and FAILED when suppressed afterwards', async () => {
    const { collectionId: collection_id } = await makePool(mine, 2)
    const [suppressed, suppressedLater] = [mailbox(), mailbox()]
    await mine.ctx.db.suppression.create({
      data: { id: newId(), organizationId: mine.id, email: suppressed, reason: 'BOUNCE' },
    })
    const checked = await claims({
      collection_id,
      csv: lines('email,token_id', `${suppressed},1`, `${suppressedLater},1`),
    })
    expect(verdicts(checked)).toEqual(['INVALID', 'OK'])
    expect(reasons(checked, 2)).toBe('email: Mail to this address is stopped: it bounced, or was called spam.')
    await mine.ctx.db.suppression.create({
      data: { id: newId(), organizationId: mine.id, email: suppressedLater, reason: 'COMPLAINT' },
    })
    await api.post(`/v1/imports/${checked.body.id}/start`, { skip_invalid: true })
    await run()
    expect((await rowsOf(checked.body.id, '&state=FAILED')).map(({ line }) => line)).toEqual([3])
    expect(await mine.ctx.db.emailClaim.count({ where: { collectionId: collection_id } })).toBe(0)
  })

  test('a claim sent since the check is not sent again, and still holds its unit after its expiry', async () => {
    const { collectionId: collection_id, itemIds: ids } = await makePool(mine, 1)
    const ada = mailbox()
    const csv = lines('email,token_id', `${ada},1`)
    const checked = await claims({ collection_id, csv })
    await api.post('/v1/email-claims', { email: ada, item_id: ids[0] })
    await api.post(`/v1/imports/${checked.body.id}/start`)
    await run()
    expect((await rowsOf(checked.body.id)).map(({ state, failure }) => [state, failure])).toEqual([
      ['SKIPPED', 'This email got it, or a link to it, meanwhile.'],
    ])
    moveClock(31 * 86_400_000)
    expect(reasons(await claims({ collection_id, csv }), 2)).toBe(
      'token_id: No unit of this item is left for this line.',
    )
  })

  test('three runs at once over two files with the same people make one claim each', async () => {
    const { collectionId: collection_id } = await makePool(mine, 60)
    const people = Array.from({ length: 30 }, mailbox)
    const csv = lines('email,item', ...people.map((email) => `${email},next`))
    const started = await Promise.all([
      claims({ collection_id, csv, dry_run: false }),
      claims({ collection_id, csv, dry_run: false }),
    ])
    expect(started.map(counts)).toEqual([
      [30, 0, 0],
      [30, 0, 0],
    ])
    for (
      let left = 60;
      left > 0;
      left = await mine.ctx.db.importRow.count({
        where: { importId: { in: started.map(({ body }) => body.id) }, state: 'WAITING' },
      })
    )
      await Promise.all([run(), run(), run()])
    const sent = await mine.ctx.db.emailClaim.findMany({ where: { collectionId: collection_id } })
    expect(sent.length).toBe(30)
    expect(new Set(sent.map(({ email }) => email)).size).toBe(30)
    expect(await mine.ctx.db.outboxMessage.count({ where: { toEmail: { in: people } } })).toBe(30)
  })

  test('units held by a listing of the whole collection are not free for claims', async () => {
    const { collectionId: collection_id } = await makePool(mine, 2)
    await mine.ctx.db.hold.create({
      data: {
        id: newId(),
        organizationId: mine.id,
        collectionId: collection_id,
        holderType: 'LISTING',
        holderId: newId(),
        quantity: 1n,
      },
    })
    expect(
      verdicts(await claims({ collection_id, csv: lines('email,item', `${mailbox()},1`, `${mailbox()},next`) })),
    ).toEqual(['OK', 'INVALID'])
  })
})
