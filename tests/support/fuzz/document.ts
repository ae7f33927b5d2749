import { Ajv2020 } from 'ajv/dist/2020.js'
import { endpoints } from '../../../lib/platform/api/index.ts'
import { type Interface, openapi } from '../../../lib/platform/api/openapi.ts'
import type { Asked } from '../front-door.ts'

type Json = any // documents and answers are read untyped

/** What a document says of a way to call an operation. `resolve` follows a reference within the document. */
export type Operation = {
  name: string
  method: string
  /** Below the origin, with `{parameters}`. */
  path: string
  parameters: { name: string; in: 'path' | 'query' | 'header'; schema: Json }[]
  body: { schema: Json; example: Json; isForm: boolean } | null
  responses: Json
  resolve: (schema: Json) => Json
  /** What is wrong with an answer to it, or null. */
  faultOf: (answer: Asked) => string | null
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, logger: false })

/** Every operation of one of the two documents. */
export function operationsOf(which: Interface): Operation[] {
  const document = openapi(endpoints, which, 'http://localhost') as Json
  const uri = `https://documents.example/${which}`
  ajv.addSchema(document, uri)
  const at = (pointer: string): Json =>
    pointer
      .split('/')
      .slice(1)
      .reduce((node, part) => node[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)
  const resolve = (schema: Json): Json => (schema?.$ref ? resolve(at(schema.$ref.slice(1))) : schema)
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, described]): Operation => {
      const content = described.requestBody?.content
      const media = content?.['application/json']
      const own = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path: `${which === 'public' ? '/public' : ''}${path}`,
        parameters: described.parameters.map(resolve),
        body: media
          ? { schema: media.schema, example: exampleOf(media), isForm: 'multipart/form-data' in content }
          : null,
        responses: described.responses,
        resolve,
        faultOf: (answer) => faultOf(answer, described.responses, resolve, `${uri}#${own}`),
      }
    }),
  )
}

const exampleOf = ({ example, examples }: Json): Json => example ?? Object.values<Json>(examples ?? {})[0]?.value

function faultOf(answer: Asked, responses: Json, resolve: (schema: Json) => Json, at: string): string | null {
  const response = resolve(responses[answer.status])
  if (!response) return `The document has no ${answer.status}.`
  const content = response.content ?? {}
  const type = answer.headers['content-type']?.split(';')[0]
  if (Object.keys(content).length === 0) return answer.body === '' ? null : 'The document has no body.'
  if (!type || !(type in content)) return `The document has no ${type} of a ${answer.status}.`
  if (!/json/.test(type)) return null
  const described = responses[answer.status].$ref?.slice(1) ?? `${at.split('#')[1]}/responses/${answer.status}`
  const pointer = `${at.split('#')[0]}#${described}/content/${type.replaceAll('/', '~1')}/schema`
  const validate = ajv.getSchema(encodeURI(pointer)) ?? ajv.compile({ $ref: encodeURI(pointer) })
  if (validate(JSON.parse(answer.body))) return null
  return `Against the schema: ${ajv.errorsText(validate.errors)}`
}
