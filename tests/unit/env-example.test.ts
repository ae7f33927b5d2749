import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { envExample } from '../../scripts/env-example.ts'

test('.env.example matches the settings schema (npm run env-example writes it)', () => {
  const file = path.resolve(import.meta.dirname, '../../.env.example')
  expect(fs.readFileSync(file, 'utf8')).toBe(envExample())
})
