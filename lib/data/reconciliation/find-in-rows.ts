import type { Finding } from './finding.ts'

const MAX_CONCURRENT = 20

/** The findings of many rows, a bounded number at a time. After a row that throws, no more rows are begun. */
export async function findInRows<Row>(
  rows: readonly Row[],
  find: (row: Row) => Promise<Finding[]>,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (let at = 0; at < rows.length; at += MAX_CONCURRENT)
    findings.push(...(await Promise.all(rows.slice(at, at + MAX_CONCURRENT).map(find))).flat())
  return findings
}
