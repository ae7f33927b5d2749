import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sourcesUnder, wordsIn } from '../support/source-text.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Of the checkout all but the form of the built-in card provider, which only those who try this service see. */
const checkout = () =>
  fs
    .globSync('components/checkout/*.tsx', { cwd: root })
    .filter((file) => path.basename(file) !== 'onboarding-form.tsx')

/** The pages that are written in each language, and what is shown on them. */
const SPEAKING = [
  'app/c',
  'app/claim',
  'app/claims',
  'app/dashboard/campaigns',
  'app/dashboard/claims',
  'app/dashboard/imports',
  'app/dashboard/mint-requests',
  'app/dashboard/payments',
  'app/dashboard/perks',
  'app/dashboard/purchases',
  'app/dashboard/transactions',
  'app/dashboard/webhooks',
  ...['layout'].map((name) => `app/dashboard/${name}.tsx`),
  ...['collections', 'item-types', 'items', 'listings', 'snapshots'].map((area) => `app/dashboard/${area}`),
  'app/h',
  'app/i',
  'app/l',
  'app/language',
  'app/layout.tsx',
  'app/mails',
  'app/not-found.tsx',
  'app/o',
  'app/p',
  'app/page.tsx',
  'app/wallet',
  ...checkout(),
  'components/claim',
  'components/published',
  ...[
    'campaigns',
    'claims',
    'collections',
    'imports',
    'item-types',
    'items',
    'listings',
    'perks',
    'purchases',
    'webhooks',
  ].map((area) => `components/dashboard/${area}`),
  'components/shared',
  ...[
    'address',
    'card',
    'chain-link',
    'copy-button',
    'dialog',
    'empty-state',
    'facts',
    'field',
    'stops',
    'table',
    'theme',
    'time',
  ].map((name) => `components/ui/${name}.tsx`),
  'components/wallet',
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
