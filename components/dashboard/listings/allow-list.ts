import { address, email } from '@/lib/core/wire'

export type Verdict =
  | { line: number; text: string; kind: 'address' | 'email'; value: string }
  | { line: number; text: string; kind: 'repeated' }
  | { line: number; text: string; kind: 'wrong'; why: 'neither' | 'digits' | 'checksum' }

/**
 * Validates a pasted list or a CSV file line by line with the endpoint's own schemas. In a line with several columns, the
 * first that is an address or an email counts, so that exports of other programs work unchanged.
 */
export function checkList(text: string): Verdict[] {
  const seen = new Set<string>()
  return text.split(/\r\n|\n|\r/).flatMap((written, at): Verdict[] => {
    const line = at + 1
    const cells = written
      .split(/[,;\t]/)
      .map((cell) =>
        cell
          .trim()
          .replace(/^"(.*)"$/, '$1')
          .trim(),
      )
      .filter(Boolean)
    if (cells.length === 0) return []
    const found = cells.map(checkCell).find((cell) => cell.kind !== 'wrong')
    if (!found)
      return line === 1 && isHeading(cells) ? [] : [{ line, text: written.trim(), kind: 'wrong', why: whyOf(cells) }]
    if (seen.has(found.value)) return [{ line, text: written.trim(), kind: 'repeated' }]
    seen.add(found.value)
    return [{ line, text: written.trim(), ...found }]
  })
}

type Cell = { kind: 'address' | 'email'; value: string } | { kind: 'wrong'; value: '' }

function checkCell(text: string): Cell {
  const asAddress = address.safeParse(text)
  if (asAddress.success) return { kind: 'address', value: asAddress.data }
  const asEmail = email.safeParse(text)
  return asEmail.success ? { kind: 'email', value: asEmail.data } : { kind: 'wrong', value: '' }
}

/** Whether the line has the column names of a spreadsheet. */
const isHeading = (cells: string[]): boolean => cells.every((cell) => /^[a-z][a-z _-]*$/i.test(cell))

function whyOf([first = '']: string[]): 'neither' | 'digits' | 'checksum' {
  if (!first.toLowerCase().startsWith('0x')) return 'neither'
  return /^0x[0-9a-f]{40}$/i.test(first) ? 'checksum' : 'digits'
}
