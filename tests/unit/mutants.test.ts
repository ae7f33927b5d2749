import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../mutation/areas.ts'
import { compiling } from '../mutation/compiles.ts'
import { changed, mutantsOf } from '../mutation/mutants.ts'
import { countingFunctions, testsOf } from '../mutation/reach.ts'

const FILE = 'lib/stock/example.ts'
/** What the body of a function becomes by each of its mutants. */
const changesOf = (body: string): string[] => {
  const source = `function example(a, b) {\n${body}\n}`
  return mutantsOf(FILE, source).map((mutant) => changed(source, mutant).split('\n').slice(1, -1).join('\n'))
}

describe('mutants', () => {
  test('conditions are reversed, their boundaries moved, and/or exchanged and guards removed', () => {
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

  test('statements are removed', () => {
    expect(changesOf('await b(a)')).toEqual([';'])
    expect(changesOf("log.error({}, 'It failed.')")).toEqual([])
  })

  test('constants are changed and results dropped', () => {
    expect(changesOf('return a[0] + 1_000n')).toEqual(['return undefined', 'return a[0] + 1001n', 'return a[0] + 999n'])
    expect(changesOf('b = true')).toEqual(['b = false'])
  })

  test('each condition of a where is dropped, those within others too', () => {
    expect(changesOf('a = { where: { id, state: { not: 1n }, OR: [{ b }] } }')).toEqual(
      expect.arrayContaining([
        'a = { where: { state: { not: 1n }, OR: [{ b }] } }',
        'a = { where: { id, OR: [{ b }] } }',
        'a = { where: { id, state: {  }, OR: [{ b }] } }',
        'a = { where: { id, state: { not: 1n }, OR: [{  }] } }',
      ]),
    )
  })

  test('conditions of SQL are dropped, boundaries moved and locks not taken', () => {
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

  test('have ids that stay when lines move', () => {
    const source = 'export const example = (a) => a > 1 && a > 1\n'
    const mutants = mutantsOf(FILE, source)
    expect(mutantsOf(FILE, `// A line.\n${source}`).map(({ id }) => id)).toEqual(mutants.map(({ id }) => id))
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
  })

  test('are left out where the compiler refuses them', () => {
    const file = 'lib/core/clock.ts'
    const mutants = mutantsOf(file, fs.readFileSync(path.join(root, file), 'utf8'))
    const sound = compiling(mutants).map(({ id }) => id.slice(file.length + 1))
    expect(sound).toContain('MINUTE: constant changed: 60 → 61')
    expect(sound.filter((id) => id.startsWith('secondsFrom: result dropped'))).toEqual([])
    expect(mutants.some(({ id }) => id.includes('secondsFrom: result dropped'))).toBe(true)
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

  const entered = (others: number) => [
    `${FILE} one`,
    ...Array.from({ length: others }, (_, at) => `lib/stock/other.ts ${at}`),
  ]
  const oneTest = (file: string, reached: string[], ms = 100) => ({
    file,
    ms: 100,
    reached: [],
    tests: [{ name: `${file} test`, ms, reached }],
  })

  test('gives the nearest tests first, and none that takes long', () => {
    const map = [
      oneTest('far', entered(50)),
      oneTest('near', entered(2)),
      oneTest('long', entered(0), 100_000),
      oneTest('elsewhere', ['lib/stock/other.ts 1']),
    ]
    const expected = ['near', 'far'].map((file) => ({ file, names: [`${file} test`] }))
    expect(testsOf(map, { file: FILE, place: 'one' }, 6).tests).toEqual(expected)
    expect(testsOf(map, { file: FILE, place: 'A_CONSTANT' }, 6).tests).toEqual(expected)
    expect(testsOf(map, { file: FILE, place: 'one' }, 1).tests).toEqual(expected.slice(0, 1))
    expect(testsOf(map, { file: 'lib/stock/none.ts', place: 'one' }, 6).tests).toEqual([])
  })

  test('gives tests that enter what uses a declaration that is no function', () => {
    const source =
      'const A = 1\nconst B = { a: A }\nconst one = () => B\nfunction two() { return A }\nfunction three() {}'
    const map = ['one', 'two', 'three'].map((name) => oneTest(name, [`${FILE} ${name}`]))
    const filesOf = (place: string) => testsOf(map, { file: FILE, place }, 6, source).tests.map(({ file }) => file)
    expect([filesOf('A').sort(), filesOf('B'), filesOf('three')]).toEqual([['one', 'two'], ['one'], ['three']])
  })

  test('gives whole files for what is entered outside of tests only, and the tests of a file together', () => {
    const prepared = { ...oneTest('prepared', ['lib/stock/other.ts 1']), reached: entered(1) }
    expect(testsOf([prepared], { file: FILE, place: 'one' }, 6).tests).toEqual([{ file: 'prepared', names: null }])
    const both = { ...prepared, tests: [oneTest('a', entered(1)).tests[0]!, oneTest('b', entered(3)).tests[0]!] }
    expect(testsOf([both], { file: FILE, place: 'one' }, 6).tests).toEqual([
      { file: 'prepared', names: ['a test', 'b test'] },
    ])
  })
})
