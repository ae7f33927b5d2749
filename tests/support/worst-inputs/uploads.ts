import type { Field, Row, Sent } from './world.ts'
import { listOf, post, repeated, world } from './world.ts'
import { newId } from '../../../lib/core/id.ts'

const LARGEST = 25 * 1024 * 1024
const upload = (url: string, form: readonly Field[]): Sent => ({ method: 'POST', url, form })
const file = (content: string | Buffer): Field => ({ name: 'file', file: 'a.bin', content })
const toCollection = (csv: string) =>
  upload('/v1/items/import', [{ name: 'collection_id', content: world.collection }, file(csv)])

/** The worst files that tenants may upload. Pictures are drawn in threads: `worst-jobs.test.ts` has them. */
export const UPLOADS: Row[] = [
  ['the largest file that is no picture', () => upload('/v1/media', [file(Buffer.alloc(LARGEST, 7))]), 422],
  [
    'a form of many fields',
    () =>
      upload(
        '/v1/media',
        listOf(100_000, (at) => ({ name: `f${at}`, content: '' })),
      ),
    400,
  ],
  ['a field with a long name', () => upload('/v1/media', [{ name: 'a.'.repeat(5_000_000), content: '' }]), 400],
  ['a form with a file of line feeds', () => toCollection('\n'.repeat(10_000_000)), 422],
  ['a form with a file of quotes', () => toCollection(repeated('"', 10_000_000)), 422],
  ['a form with claims of line feeds', () => upload('/v1/email-claims/import', [file('\n'.repeat(10_000_000))]), 422],
  [
    'the largest file of a perk',
    () =>
      upload('/v1/perks', [
        { name: 'collection_id', content: world.collection },
        { name: 'title', content: newId() },
        file(Buffer.alloc(10 * 1024 * 1024, 7)),
      ]),
    201,
  ],
]

/** The largest files in JSON. Their memory depends on when garbage is collected: the body of one alone has 35 MB. */
export const LARGEST_FILES: Row[] = [
  [
    'a picture',
    () => post('/v1/media', { file: { name: 'a.png', base64: Buffer.alloc(LARGEST, 7).toString('base64') } }),
    422,
  ],
  [
    'items',
    () => importing('/v1/items/import', `title${',a'.repeat(199)}\n${`x${','.repeat(199)}\n`.repeat(99_999)}`),
    201,
  ],
  ['claims', () => importing('/v1/email-claims/import', `email,item\n${'a@birds.example,next\n'.repeat(99_999)}`), 201],
]

const importing = (url: string, csv: string): Sent =>
  post(url, {
    collection_id: world.collection,
    file: { name: 'list.csv', base64: Buffer.from(csv).toString('base64') },
  })
