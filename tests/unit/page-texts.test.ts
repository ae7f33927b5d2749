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

/** The product’s name is never translated. */
const NAME = 'components/ui/wordmark.tsx'

/** The pages that are written in each language, and those of the dashboard, with what is shown on them. */
const SPEAKING = [
  ...['c', 'claim', 'claims', 'dashboard', 'h', 'i', 'l', 'language', 'mails', 'o', 'p', 'sign-in', 'wallet'].map(
    (page) => `app/${page}`,
  ),
  ...['layout', 'not-found', 'page'].map((name) => `app/${name}.tsx`),
  ...checkout(),
  ...['claim', 'dashboard', 'published', 'shared', 'ui', 'wallet'].map((area) => `components/${area}`),
]

test('pages in each language say nothing that isn’t in the catalogues', () => {
  expect(
    sourcesUnder(root, SPEAKING)
      .filter((file) => file.endsWith('.tsx') && !file.endsWith(NAME))
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
