import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { knownNetworksFile } from '../../scripts/known-networks.ts'

test('the known networks are those of viem (npm run known-networks writes them)', () => {
  const file = path.resolve(import.meta.dirname, '../../lib/ports/chain/known-networks.json')
  expect(fs.readFileSync(file, 'utf8')).toBe(knownNetworksFile())
})
