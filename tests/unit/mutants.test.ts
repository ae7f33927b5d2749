import { describe, expect, test } from 'vitest'
import { changed, mutantsOf, parses } from '../mutation/mutants.ts'
import { countingFunctions, testsOf } from '../mutation/reach.ts'

const FILE = 'lib/stock/example.ts'
/** What the body of a function becomes by each of its mutants. */
const changesOf = (body: string): string[] => {
  const source = `function example(a, b) {\n${body}\n}`
  return mutantsOf(FILE, source).map((mutant) => changed(source, mutant).split('\n').slice(1, -1).join('\n'))
}

describe('mutants', () => {
  test('of conditions: reversed, their boundaries moved, and/or exchanged, guards removed', () => {
    expect(changesOf('if (a < b) throw a')).toEqual(['if (!(a < b)) throw a', ';', 'if (a <= b) throw a'])
    expect(changesOf('if (a >= b) { b() } else a()')).toEqual([
      'if (!(a >= b)) { b() } else a()',
      'if (a > b) { b() } else a()',
      'if (a >= b) { ; } else a()',
      'if (a >= b) { b() } else ;',
    ])
    expect(changesOf('b(a && b ? a : b)')).toContain('b(a || b ? a : b)')
    expect(changesOf('b(a === b)')).toContain('b(a !== b)')
  })

  test('of statements: removed, or not awaited', () => {
    expect(changesOf('await b(a)')).toEqual([';', 'void b(a)'])
    expect(changesOf("log.error({}, 'It failed.')")).toEqual([])
  })

  test('of constants and results', () => {
    expect(changesOf('return a[0] + 1_000n')).toEqual(['return undefined', 'return a[0] + 1001n', 'return a[0] + 999n'])
    expect(changesOf('b = true')).toEqual(['b = false'])
  })

  test('of a where: each condition dropped, those within others too', () => {
    expect(changesOf('a = { where: { id, state: { not: 1n }, OR: [{ b }] } }')).toEqual(
      expect.arrayContaining([
        'a = { where: { state: { not: 1n }, OR: [{ b }] } }',
        'a = { where: { id, OR: [{ b }] } }',
        'a = { where: { id, state: {  }, OR: [{ b }] } }',
        'a = { where: { id, state: { not: 1n }, OR: [{  }] } }',
      ]),
    )
  })

  test('of SQL: conditions dropped, boundaries moved, locks not taken', () => {
    const sql = (text: string) => `a = \`${text}\``
    expect(
      changesOf(sql("SELECT 1 FROM t WHERE x = ${f({ y })} AND (s = 'A' OR z <= $1) ORDER BY z FOR UPDATE")),
    ).toEqual(
      [
        "SELECT 1 FROM t WHERE (x = ${f({ y })} OR true) AND (s = 'A' OR z <= $1) ORDER BY z FOR UPDATE",
        "SELECT 1 FROM t WHERE x = ${f({ y })} AND ((s = 'A' OR z <= $1) OR true) ORDER BY z FOR UPDATE",
        "SELECT 1 FROM t WHERE x = ${f({ y })} AND (s = 'A' OR z < $1) ORDER BY z FOR UPDATE",
        "SELECT 1 FROM t WHERE x = ${f({ y })} AND (s = 'A' OR z <= $1) ORDER BY z",
      ].map(sql),
    )
    expect(changesOf(sql("UPDATE t SET a = 1 WHERE x BETWEEN 1 AND 2 AND s = 'A'"))).toEqual(
      [
        "UPDATE t SET a = 1 WHERE (x BETWEEN 1 AND 2 OR true) AND s = 'A'",
        "UPDATE t SET a = 1 WHERE x BETWEEN 1 AND 2 AND (s = 'A' OR true)",
      ].map(sql),
    )
    expect(changesOf("a = 'Words of a mail'")).toEqual([])
  })

  test('have ids that stay when lines move, and are programs', () => {
    const source = 'export const example = (a) => a > 1 && a > 1\n'
    const mutants = mutantsOf(FILE, source)
    expect(mutantsOf(FILE, `// A line.\n${source}`).map(({ id }) => id)).toEqual(mutants.map(({ id }) => id))
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
    expect(mutants.every((mutant) => parses(FILE, changed(source, mutant)))).toBe(true)
    expect(parses(FILE, 'const a = ')).toBe(false)
  })
})

describe('the map of tests', () => {
  test('each outer function notes the declaration that it is in', () => {
    const noted = countingFunctions(FILE, 'const one = (a: () => void) => a\nfunction two() { one(() => ({})) }')
    const note = (name: string) => `globalThis.reached?.add("${FILE} ${name}")`
    expect(noted).toBe(
      `const one = (a: () => void) => (${note('one')}, a)\nfunction two() {${note('two')}; one(() => ({})) }`,
    )
  })

  test('gives the nearest first, and none that takes long', () => {
    const entry = (file: string, others: number, more: object = {}) => ({
      file,
      ms: 100,
      reached: [`${FILE} one`, ...Array.from({ length: others }, (_, at) => `lib/stock/other.ts ${at}`)],
      ...more,
    })
    const map = [
      entry('far', 50),
      entry('near', 2),
      entry('long', 0, { ms: 100_000 }),
      entry('elsewhere', 3, { reached: ['lib/stock/other.ts 1'] }),
    ]
    expect(testsOf(map, FILE, 'one').files).toEqual(['near', 'far'])
    expect(testsOf(map, FILE, 'A_CONSTANT').files).toEqual(['near', 'far'])
    expect(testsOf(map, 'lib/stock/none.ts', 'one').files).toEqual([])
  })
})
