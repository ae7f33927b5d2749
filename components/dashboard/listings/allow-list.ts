import { address, email } from '@/lib/core/wire'

type AllowedIdentity = { kind: 'address' | 'email'; value: string }
export type Verdict =
  | { line: number; text: string; kind: 'address' | 'email'; value: string }
  | { line: number; text: string; kind: 'repeated' }
  | { line: number; text: string; kind: 'wrong'; why: 'neither' | 'digits' | 'checksum' }

/**
 * Validates a pasted list or a CSV file line by line with the endpoint's own schemas. Every address and email of a line
 * counts; what else stands in its line, such as a name, is left out, so that exports of other programs work unchanged.
 * An entry that looks like an address or email and isn't one is wrong, and so is a line without any.
 */
export function checkList(text: string): Verdict[] {
  const seen = new Set<string>()
  return text.split(/\r\n|\n|\r/).flatMap((written, at): Verdict[] => {
    const line = at + 1
    const cells = written
      .split(/[,;\t]/)
      .map(unquoted)
      .filter(Boolean)
    if (cells.length === 0) return []
    const entries = cells.flatMap(entriesOf)
    if (entries.length === 0)
      return line === 1 && isHeading(cells) ? [] : [{ line, text: written.trim(), kind: 'wrong', why: 'neither' }]
    return entries.map((entry): Verdict => {
      const text = entries.length === 1 ? written.trim() : entry.text
      if (!('value' in entry)) return { line, ...entry, text }
      if (seen.has(entry.value)) return { line, text, kind: 'repeated' }
      seen.add(entry.value)
      return { line, ...entry, text }
    })
  })
}

type Entry =
  (AllowedIdentity & { text: string }) | { text: string; kind: 'wrong'; why: 'neither' | 'digits' | 'checksum' }

/** The addresses and emails of a cell: the whole, else each of its words that is one or looks like one. */
function entriesOf(cell: string): Entry[] {
  const whole = find(cell)
  if (whole) return [{ text: cell, ...whole }]
  return cell.split(/\s+/).flatMap((written): Entry[] => {
    const text = unquoted(written.replace(/^<(.*)>$/, '$1'))
    const found = find(text)
    if (found) return [{ text, ...found }]
    return /^0x|@/i.test(text) ? [{ text, kind: 'wrong', why: whyOf(text) }] : []
  })
}

function find(text: string): AllowedIdentity | null {
  const asAddress = address.safeParse(text)
  if (asAddress.success) return { kind: 'address', value: asAddress.data }
  const asEmail = email.safeParse(text)
  return asEmail.success ? { kind: 'email', value: asEmail.data } : null
}

const unquoted = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()

/** Whether the line has the column names of a spreadsheet. */
const isHeading = (cells: string[]): boolean => cells.every((cell) => /^[a-z][a-z _-]*$/i.test(cell))

function whyOf(text: string): 'neither' | 'digits' | 'checksum' {
  if (!text.toLowerCase().startsWith('0x')) return 'neither'
  return /^0x[0-9a-f]{40}$/i.test(text) ? 'checksum' : 'digits'
}
