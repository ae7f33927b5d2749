import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const file = path.resolve(import.meta.dirname, '../../components/dashboard/forms/local-moments.ts')

/** What the functions say in time zones, which a thread of a test can't change. */
function inZones(asked: [zone: string, expression: string][]): unknown[] {
  const answers = asked.map(([zone, expression]) => `(process.env.TZ = '${zone}', ${expression})`)
  const script = `import { localOf, momentsOf, utcOf } from ${JSON.stringify(file)}; console.log(JSON.stringify([${answers.join()}]))`
  const out = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script])
  return JSON.parse(String(out)) as unknown[]
}

test('a moment shows its seconds where it has some and reads as itself; a time shown twice is two, a skipped one none', () => {
  const answers = inZones([
    ['Europe/Berlin', `['2026-06-01T10:00:00Z', '2026-06-01T10:00:07.5Z'].map((at) => localOf(new Date(at)))`],
    ['Europe/Berlin', `momentsOf('2026-06-01T12:00:07.5')`],
    ['Europe/Berlin', `['2026-06-01T10:00:00Z', '2026-06-01T10:00:07.25Z'].map((at) => utcOf(new Date(at)))`],
    ['Europe/Berlin', `momentsOf('2026-10-25T02:30')`],
    ['Europe/Berlin', `momentsOf('2026-03-29T02:30')`],
    ['America/New_York', `momentsOf('2026-11-01T01:00')`],
    // Half an hour, south of the equator.
    ['Australia/Lord_Howe', `momentsOf('2026-04-05T01:45')`],
    ['Australia/Lord_Howe', `momentsOf('2026-10-04T02:15')`],
    ['Europe/Berlin', `[...momentsOf(''), ...momentsOf('soon')]`],
  ])
  expect(answers).toEqual([
    ['2026-06-01T12:00', '2026-06-01T12:00:07.500'],
    ['2026-06-01T10:00:07.500Z'],
    ['2026-06-01T10:00', '2026-06-01T10:00:07.250'],
    ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
    [],
    ['2026-11-01T05:00:00.000Z', '2026-11-01T06:00:00.000Z'],
    ['2026-04-04T14:45:00.000Z', '2026-04-04T15:15:00.000Z'],
    [],
    [],
  ])
})
