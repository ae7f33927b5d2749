import type { Finding } from './check.ts'

export type Report = { check: string; findings: Finding[] }[]

/** Whether the report has nothing that is wrong; `strict` takes warnings for wrong too. */
export const isInOrder = (report: Report, strict: boolean): boolean =>
  report.every(({ findings }) =>
    findings.every(({ verdict }) => verdict === 'ok' || (verdict === 'warning' && !strict)),
  )
