import { expect, test, vi } from 'vitest'
import { alternatesOf } from '../../app/language/alternates.ts'
import { env } from '../../lib/core/env.ts'
import { LOCALES } from '../../lib/core/locales.ts'

let query = ''
vi.mock('../../app/language/locale-of-page.ts', () => ({
  pageUrl: () => Promise.resolve(new URL(`http://localhost/c/1?${query}`)),
}))

test.each([
  ['', ''],
  ['cursor=abc', ''],
  ['lang=de', '?lang=de'],
  ['lang=pt', '?lang=pt-BR'],
  ['lang=xx&lang=de-AT&lang=fr', '?lang=de'],
  ['lang=xx', ''],
  ['lang=', ''],
])('a page that is asked for with %j is known by its address with %j', async (asked, known) => {
  query = asked
  const { canonical, languages } = await alternatesOf('/c/1')
  expect(canonical).toBe(`${env.ORIGIN}/c/1${known}`)
  expect(languages).toMatchObject({ 'x-default': `${env.ORIGIN}/c/1`, ar: `${env.ORIGIN}/c/1?lang=ar` })
  expect(Object.keys(languages!)).toEqual([...LOCALES, 'x-default'])
})
