import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callerOf } from '../support/call.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { mailbox, run } from '../support/imports.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
let item_id: string

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
  item_id = (await makeItem(mine, { tokenType: 'ERC1155', maxSupply: null })).itemId
})
beforeEach(() => installFakeChain())

const check = (csv: string, body: object = {}) => api.post('/v1/email-claims/import', { item_id, csv, ...body })
const claimOf = (email: string) => mine.ctx.db.emailClaim.findFirst({ where: { email } })
const meaningsOf = async (heading: string) =>
  (await check(`${heading}\n${mailbox()}\n`)).body.columns.map(({ means }: { means: string | null }) => means)

describe('unknown columns', () => {
  test('are named with each line that fills them, and stop the start until they are ignored by name', async () => {
    const [ada, grace] = [mailbox(), mailbox()]
    const csv = `email,Wunschgröße,Notes\n${ada},XL,\n${grace},,\n`
    const { status, body } = await check(csv)
    expect([status, body.unknown_columns, body.ok_count]).toEqual([201, ['Wunschgröße', 'Notes'], 2])
    expect(body.rows.map(({ verdict, reasons }: { verdict: string; reasons: string[] }) => [verdict, reasons])).toEqual(
      [
        ['OK', ['Wunschgröße: This column is unknown: nothing reads it.']],
        ['OK', []],
      ],
    )
    const start = (ignore_columns?: string[]) => api.post(`/v1/imports/${body.id}/start`, { ignore_columns })
    for (const given of [undefined, [], ['Notes']]) {
      const refused = await start(given)
      expect([refused.status, refused.body.code, refused.body.errors[0].field]).toEqual([
        422,
        'unknown_columns',
        'ignore_columns',
      ])
      expect(refused.body.detail).toContain('“Wunschgröße”')
    }
    // A column that was read when the lines were checked can't be left out now.
    for (const given of [
      ['email', 'Wunschgröße', 'Notes'],
      ['Other', 'Wunschgröße', 'Notes'],
    ])
      expect((await start(given)).body.errors[0].field).toBe('ignore_columns')
    const started = await start(['Wunschgröße', 'Notes'])
    expect([started.status, started.body.unknown_columns, started.body.options.ignore_columns]).toEqual([
      200,
      [],
      ['Wunschgröße', 'Notes'],
    ])
    await run()
    expect([await claimOf(ada), await claimOf(grace)]).toEqual([expect.anything(), expect.anything()])
  })

  test('stop an import that starts at once, which then leaves nothing', async () => {
    const ada = mailbox()
    const csv = `email,Notes\n${ada},x\n`
    expect((await check(csv, { dry_run: false })).body.code).toBe('unknown_columns')
    expect((await check(csv, { dry_run: false, ignore_columns: ['Note'] })).body.code).toBe('import_invalid')
    const { status, body } = await check(csv, { dry_run: false, ignore_columns: ['Notes'] })
    expect([status, body.state, body.unknown_columns, body.rows[0].reasons]).toEqual([201, 'RUNNING', [], []])
  })

  test('two columns for one field are refused by name; one can be ignored, a second email can’t', async () => {
    const refusalOf = async (heading: string, ignore_columns?: string[]) => {
      const { status, body } = await check(`${heading}\n${mailbox()},1,2\n`, { ignore_columns })
      return status === 201 ? null : `${body.code} ${body.errors[0].field}: ${body.detail}`
    }
    for (const [heading, first, second] of [
      ['email,Menge,quantity', 'Menge', 'quantity'],
      ['email,quantity,quantity', 'quantity', 'quantity (2)'],
    ] as const) {
      expect(await refusalOf(heading)).toContain(`import_invalid file: The columns “${first}” and “${second}”`)
      expect(await refusalOf(heading, [second])).toBeNull()
    }
    for (const [heading, first, second] of [
      ['email,email', 'email', 'email (2)'],
      ['E-Mail,Empfänger', 'E-Mail', 'Empfänger'],
    ] as const)
      for (const ignored of [undefined, [first], [second]])
        expect(await refusalOf(heading, ignored)).toContain(`The columns “${first}” and “${second}” both mean email.`)
    const { body } = await check(`email,Menge,quantity\n${mailbox()},7,2\n`, {
      ignore_columns: ['Menge'],
      dry_run: false,
    })
    expect(body.columns).toEqual([
      { name: 'email', means: 'email' },
      { name: 'Menge', means: null },
      { name: 'quantity', means: 'quantity' },
    ])
  })
})

describe('files of people', () => {
  test.each([
    ['E-Mail-Adresse', 'Menge', 'Gültig bis', 'Sprache'],
    ['Correo electrónico', 'Cantidad', 'Válido hasta', 'Idioma'],
    ['Adresse e-mail', 'Quantité', 'Date d’expiration', 'Langue'],
    ['Indirizzo e-mail', 'Quantità', 'Scadenza', 'Lingua'],
    ['E-mailadres', 'Aantal', 'Geldig tot', 'Taal'],
    ['Adres e-mail', 'Ilość', 'Ważne do', 'Język'],
    ['Endereço de e-mail', 'Quantidade', 'Válido até', 'Idioma'],
    ['メールアドレス', '数量', '有効期限', '言語'],
    ['이메일', '수량', '만료일', '언어'],
    ['电子邮件', '数量', '有效期', '语言'],
    ['البريد الإلكتروني', 'الكمية', 'صالح حتى', 'اللغة'],
    ['CORREO ELECTRONICO', 'quantite', 'valid_until', 'LANGUAGE'],
  ])('the headings %s, %s, %s, %s are understood', async (...headings) => {
    expect(await meaningsOf(headings.join(';'))).toEqual(['email', 'quantity', 'expiration', 'locale'])
  })

  test('a file with vertical bars is read, and invisible marks around an address are none of it', async () => {
    const [ada, grace] = [mailbox(), mailbox()]
    const csv = `\u200bemail|quantity\n\u200e${ada}\u200b|3\n"\u2068${grace}\u2069"|\u00a02\n`
    const { body } = await check(csv, { dry_run: false })
    expect(body.rows.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['OK', 'OK'])
    await run()
    expect([(await claimOf(ada))?.quantity, (await claimOf(grace))?.quantity]).toEqual([3n, 2n])
  })
})
