import { TX_PAYERS } from '../../platform/api/public-claims.ts'
import { isUuid } from '../../core/id.ts'
import { UNSPOKEN } from '../../core/locale-given.ts'
import { findLocale } from '../../core/find-locale.ts'
import type { Locale } from '../../core/locales.ts'
import { email, timestamp } from '../../core/wire.ts'
import { type Column, columnFor } from './columns.ts'
import type { ImportOptions } from './import-options.ts'
import { sentenceOf } from '../../core/sentence.ts'

/** The item that a line names: by its id, by its token id in the given collection, or the next free one. */
type ItemChoice = { item_id: string } | { token_id: string } | 'next'

export type ClaimLine = {
  email: string
  item: ItemChoice
  quantity: bigint
  tx_payer: 'SELLER' | 'BUYER'
  expiration: Date | null
  locale: Locale | null
}

/** Reads a line's cells as a claim. `line` is null when there are `reasons` against it. */
export function readClaimLine(
  columns: readonly Column[],
  fields: Record<string, string>,
  options: ImportOptions,
  now: Date,
): { line: ClaimLine | null; reasons: string[] } {
  const reasons: string[] = []
  const cell = (means: string): string => fields[columnFor(columns, means) ?? ''] ?? ''
  const wrong = (means: string, sentence: string): null => {
    reasons.push(`${columnFor(columns, means) ?? means}: ${sentence}`)
    return null
  }
  const to = email.safeParse(cell('email'))
  if (!to.success) wrong('email', cell('email') === '' ? 'This is needed.' : sentenceOf(to.error.issues[0]!.message))
  const item = itemChoiceOf(cell, wrong, options)
  const quantity =
    cell('quantity') === ''
      ? 1n
      : /^[1-9]\d{0,14}$/.test(cell('quantity'))
        ? BigInt(cell('quantity'))
        : wrong('quantity', 'A whole number is needed, at least 1.')
  const payer = cell('tx_payer').toUpperCase() || options.tx_payer || 'SELLER'
  const tx_payer = TX_PAYERS.find((one) => one === payer) ?? wrong('tx_payer', 'Write SELLER or BUYER.')
  const expiration = cell('expiration') === '' ? null : momentOf(cell('expiration'))
  if (cell('expiration') !== '' && expiration === null)
    wrong('expiration', 'Write a day as 2027-01-31, or a moment as 2027-01-31T18:00:00Z.')
  if (expiration && expiration <= now) wrong('expiration', 'This time has passed.')
  const locale = cell('locale') === '' ? null : findLocale(cell('locale'))
  if (cell('locale') !== '' && locale === null) wrong('locale', UNSPOKEN)
  if (reasons.length > 0 || !to.success || item === null || quantity === null || tx_payer === null)
    return { line: null, reasons }
  return { line: { email: to.data, item, quantity, tx_payer, expiration, locale }, reasons }
}

function itemChoiceOf(
  cell: (means: string) => string,
  wrong: (means: string, sentence: string) => null,
  options: ImportOptions,
): ItemChoice | null {
  if (options.item_id) return { item_id: options.item_id }
  const [means, text] =
    (['item_id', 'token_id', 'item'] as const)
      .map((name) => [name, cell(name)] as const)
      .find(([, found]) => found !== '') ?? (['item', ''] as const)
  if (text === '') return wrong(means, 'Say which item: by item_id, by token_id, or next for the next free one.')
  if (means !== 'token_id' && isUuid(text)) return { item_id: text.toLowerCase() }
  if (means === 'item_id') return wrong(means, 'This is not the id of an item.')
  if (!options.collection_id) return wrong(means, 'Choose the collection of these items first (collection_id).')
  if (means === 'item' && text.toLowerCase() === 'next') return 'next'
  if (!/^\d{1,78}$/.test(text))
    return wrong(
      means,
      means === 'item' ? 'Write the id of an item, its token id, or next.' : 'A token id is a whole number.',
    )
  return { token_id: BigInt(text).toString() }
}

/** A time, or the end of a day (UTC); null when the text is neither. */
function momentOf(text: string): Date | null {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const read = timestamp.safeDecode(day ? `${text}T23:59:59Z` : text.replace(' ', 'T'))
  return read.success ? read.data : null
}
