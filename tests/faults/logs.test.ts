import fs from 'node:fs'
import { expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { makeOrganization } from '../support/organization.ts'
import { linesWith } from '../support/process-logs.ts'

test('the log of PostgreSQL names a violated key without its values', async () => {
  const { email } = await makeOrganization()
  await expect(systemClient().user.create({ data: { id: newId(), email } })).rejects.toThrow()
  const lines = fs.readFileSync(process.env.TEST_POSTGRES_LOG!, 'utf8')
  expect(lines).toContain('duplicate key value violates unique constraint "users_email')
  expect(linesWith([email], lines)).toEqual([])
})

test('a secret in a log is found, and a PIN only where it stands alone', () => {
  const text = '2026-11-28 07:00:00 UTC [123456] ERROR: no\n{"time":1795123456844}\npin 123456\n/claim/a.b+c'
  expect(linesWith(['123456'], text)).toEqual(['pin 123456'])
  expect(linesWith(['a.b+c'], text)).toEqual(['/claim/a.b+c'])
  expect(linesWith([], text)).toEqual([])
})
