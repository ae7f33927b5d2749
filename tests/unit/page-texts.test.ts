import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sourcesUnder, wordsIn } from '../support/source-text.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** The pages that are written in each language, and what is shown on them. */
const SPEAKING = [
  'app/claim',
  'app/claims',
  ...['error', 'layout', 'loading', 'not-found', 'page', 'suspension-bar'].map((name) => `app/dashboard/${name}.tsx`),
  ...['api-keys', 'audit', 'media', 'members', 'settings'].map((area) => `app/dashboard/${area}`),
  'app/h',
  'app/language',
  'app/layout.tsx',
  'app/mails',
  'app/not-found.tsx',
  'app/sign-in',
  'components/claim',
  ...['audit', 'email', 'forms', 'lists', 'media', 'members', 'overview', 'passkeys', 'settings', 'shell'].map(
    (area) => `components/dashboard/${area}`,
  ),
  'components/shared',
  ...['address', 'copy-button', 'dialog', 'field', 'stops', 'theme', 'time', 'badge', 'relative-time', 'toaster'].map(
    (name) => `components/ui/${name}.tsx`,
  ),
  ...['connect', 'keystore-form', 'make-wallet', 'mint-voucher', 'needs-coins', 'pick-address', 'unlock-file'].map(
    (name) => `components/wallet/${name}.tsx`,
  ),
]

test('pages in each language say nothing that isn’t in the catalogues', () => {
  expect(
    sourcesUnder(root, SPEAKING)
      .filter((file) => file.endsWith('.tsx'))
      .flatMap(wordsIn),
  ).toEqual([])
})

test('words in markup, in properties and in what is chosen between are found', () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'words-')), 'example.tsx')
  fs.writeFileSync(
    file,
    `export const A = () => <p title="One word" data-x="no" aria-label={open ? 'Two words' : \`Three \${more}\`}>
      Four {busy ? 'Five' : t('no')} {waiting && 'Six'} <input name="no" placeholder="0x…" />
    </p>`,
  )
  expect(wordsIn(file).map((found) => found.split(' ').at(-1))).toEqual([
    'word',
    'words',
    'Three',
    'Four',
    'Five',
    'Six',
  ])
})
