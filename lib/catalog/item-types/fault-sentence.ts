import type { ErrorObject } from 'ajv/dist/2020.js'
import { either, givenName } from '../../core/issue-sentence.ts'

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const entries = (count: number): string => `${count} ${count === 1 ? 'entry' : 'entries'}`
const characters = (count: number): string => `${count} ${count === 1 ? 'character' : 'characters'}`

type Sentence = (params: ErrorObject['params'], given: unknown) => string

/** By the keyword of JSON Schema that a value fails. */
const SENTENCES: Record<string, Sentence> = {
  type: ({ type }, given) =>
    `Expected ${either([type].flat().map((each: string) => KINDS[each] ?? each))}, got ${givenName(given)}.`,
  enum: ({ allowedValues }) => `Expected ${either(allowedValues.map(shown))}.`,
  const: ({ allowedValue }) => `Expected ${shown(allowedValue)}.`,
  minimum: ({ limit }) => `This must be at least ${limit}.`,
  maximum: ({ limit }) => `This must be at most ${limit}.`,
  exclusiveMinimum: ({ limit }) => `This must be more than ${limit}.`,
  exclusiveMaximum: ({ limit }) => `This must be less than ${limit}.`,
  multipleOf: ({ multipleOf }) => `This must be a multiple of ${multipleOf}.`,
  minLength: ({ limit }) => `This must have at least ${characters(limit)}.`,
  maxLength: ({ limit }) => `This must have at most ${characters(limit)}.`,
  pattern: ({ pattern }) => `Expected text that matches ${pattern} (a regular expression).`,
  minItems: ({ limit }) => `This needs at least ${entries(limit)}.`,
  maxItems: ({ limit }) => `This must have at most ${entries(limit)}.`,
  items: ({ limit }) => `This must have at most ${entries(limit)}.`,
  unevaluatedItems: ({ len }) => `This must have at most ${entries(len)}.`,
  uniqueItems: ({ i, j }) => `The entries ${j + 1} and ${i + 1} are the same: each may be there once.`,
  contains: ({ minContains }) =>
    `Of its entries at least ${minContains} must be of the kind that the item type asks for.`,
  minProperties: ({ limit }) => `This needs at least ${entries(limit)}.`,
  maxProperties: ({ limit }) => `This must have at most ${entries(limit)}.`,
  propertyNames: ({ propertyName }) => `The item type doesn’t allow the name ${propertyName} here.`,
  dependentRequired: ({ property, missingProperty }) => `Where ${property} is given, ${missingProperty} is required.`,
  anyOf: () => 'This has none of the forms that the item type allows.',
  oneOf: ({ passingSchemas }) =>
    passingSchemas
      ? 'This has several of the forms of which the item type allows one.'
      : 'This has none of the forms that the item type allows.',
  not: () => 'The item type excludes this value.',
  if: ({ failingKeyword }) => `This breaks the ${failingKeyword} part of a condition of the item type.`,
  'false schema': () => 'The item type allows no value here.',
}

/** The fault of a value, as a sentence for people. The validator must report the values (`verbose`). */
export const faultSentence = ({ keyword, params, data }: ErrorObject): string =>
  SENTENCES[keyword]?.(params, data) ?? `This breaks the rule ${keyword} of the item type.`

/** Why a schema that is valid by its draft can't be used. */
export function compileFault(error: Error): string {
  const { missingRef } = error as { missingRef?: string }
  if (missingRef) return `The reference ${missingRef} points at nothing in this schema.`
  if (error instanceof SyntaxError || error.message.includes('regular expression'))
    return `A pattern is no regular expression: ${error.message.replace(/^.*Invalid regular expression: /, '')}.`
  return `This schema can’t be used: ${error.message}.`
}
