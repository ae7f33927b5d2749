/** A JSON Schema as OpenAPI 3.1 documents have it. */
export type Schema = { readonly [keyword: string]: unknown }

/** A schema as a TypeScript type. Schemas with a name are referred to by it. */
export function typeText(schema: Schema): string {
  const { $ref, const: only, enum: options, anyOf, oneOf, allOf, type } = schema
  if (typeof $ref === 'string') return $ref.replace('#/components/schemas/', '')
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(options)) return options.map((option) => JSON.stringify(option)).join(' | ')
  const either = anyOf ?? oneOf
  if (Array.isArray(either)) return joined(either as Schema[], ' | ')
  if (Array.isArray(allOf)) return joined(allOf as Schema[], ' & ')
  if (Array.isArray(type)) return type.map((each: unknown) => typeText({ ...schema, type: each })).join(' | ')
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return listText(schema)
    case 'object':
      return objectText(schema)
    default:
      return 'unknown'
  }
}

/** A part that says nothing is one that JSON can't express, such as a file of a form. */
function joined(parts: readonly Schema[], by: ' | ' | ' & '): string {
  const said = [...new Set(parts.map(typeText))].filter((text) => text !== 'unknown')
  if (said.length === 0) return 'unknown'
  return said.length === 1 ? said[0]! : `(${said.join(by)})`
}

function listText({ items, prefixItems }: Schema): string {
  if (Array.isArray(prefixItems)) return `[${prefixItems.map((item) => typeText(item as Schema)).join(', ')}]`
  return `Array<${items ? typeText(items as Schema) : 'unknown'}>`
}

function objectText({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties as Record<string, Schema>).map(([name, field]) => {
    const mark = (required as string[]).includes(name) ? '' : '?'
    return `${docText(field)}${keyText(name)}${mark}: ${typeText(field)}`
  })
  const isOpen = typeof additionalProperties === 'object' && additionalProperties !== null
  const others = `{ [name: string]: ${isOpen ? typeText(additionalProperties as Schema) : 'unknown'} }`
  if (fields.length === 0) return others // Record<> may not contain itself
  const named = `{\n${fields.join('\n')}\n}`
  return isOpen ? `(${named} & ${others})` : named
}

const keyText = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name))

/** A description as a comment before what it describes. */
export const docText = ({ description }: Schema): string =>
  typeof description === 'string' ? `/** ${description.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n` : ''
