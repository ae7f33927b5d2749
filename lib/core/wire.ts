import { getAddress, isAddress } from 'viem'
import { z } from 'zod'
import { asStoredEmail, EMAIL_ADDRESS, MAX_EMAIL_LENGTH } from './email-address.ts'
import { givenName } from './issue-sentence.ts'
import { oncePerProcess } from './once-per-process.ts'

/**
 * Schemas of values whose JSON and TypeScript forms differ, and of named kinds of value. `decode` reads JSON, `encode`
 * writes it.
 */

export const uuid = z.uuid().toLowerCase().meta({ id: 'Uuid' })

/** ISO 8601 and PostgreSQL write other years in ways of their own. */
const [FIRST_MS, LAST_MS] = [Date.UTC(1000, 0, 1), Date.UTC(9999, 11, 31, 23, 59, 59, 999)]

export const timestamp = z
  .codec(z.iso.datetime({ offset: true, abort: true }), z.date(), {
    decode: (text, payload) => {
      const date = new Date(text)
      if (date.getTime() >= FIRST_MS && date.getTime() <= LAST_MS) return date
      payload.issues.push({ code: 'custom', input: text, message: 'The year must be between 1000 and 9999.' })
      return z.NEVER
    },
    encode: (date) => date.toISOString(),
  })
  .meta({
    description: 'ISO 8601 date-time, UTC. Digits beyond milliseconds are cut.',
    example: '2026-11-20T12:00:00.000Z',
  })

/**
 * Any JSON value: what is parsed came as JSON, so nothing is looked at again. It contains itself, so it has a name:
 * generated types can't be written without one.
 */
export const json = z.custom<z.core.util.JSONType>().meta({
  id: 'JsonValue',
  description: 'Any JSON value.',
  anyOf: [
    ...['string', 'number', 'boolean', 'null'].map((type) => ({ type })),
    { type: 'array', items: {} },
    {
      type: 'object',
      propertyNames: { type: 'string' },
      additionalProperties: { $ref: '#/components/schemas/JsonValue' },
    },
  ],
})

export const MAX_SAFE_STRING = 255

/** At most 255 characters, no control characters. */
export const safeString = z
  .string()
  .max(MAX_SAFE_STRING)
  .regex(/^[^\p{Cc}]*$/u, 'Control characters are not allowed.')

/**
 * Addresses that came before, as they came, with their checksums. A hash costs as much as a row; viem's own cache moves
 * an entry at each use.
 */
const checksums = oncePerProcess('address checksums', () => new Map<string, string>())
const MOST_CHECKSUMS = 10_000

/** null where the address has a checksum that is wrong. */
function checksumOf(address: string): string | null {
  const known = checksums.get(address)
  if (known !== undefined) return known
  if (address !== address.toLowerCase() && !isAddress(address, { strict: true })) return null
  if (checksums.size >= MOST_CHECKSUMS) checksums.clear()
  const checksum = getAddress(address)
  checksums.set(address, checksum)
  return checksum
}

/** Accepts lower case or an EIP-55 checksum and gives EIP-55. A wrong checksum is an error. */
export const address = z
  .string()
  .refine((text) => /^0x[0-9a-fA-F]{40}$/.test(text), {
    error: 'This is not an address: 0x and 40 hex digits are needed.',
    abort: true,
  })
  .refine((text) => checksumOf(text) !== null, {
    error: 'The checksum of this address is wrong: a character may be mistyped.',
  })
  .overwrite((text) => checksumOf(text) ?? text)
  .meta({
    id: 'Address',
    description: 'EIP-55 checksum address; lower case is accepted too.',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })

type WholeNumber = { digits: number; least?: 0 | 1; unit?: string; below?: bigint }
/** The first number that is too large for a contract's number (uint256). */
const ABOVE_UINT256 = 1n << 256n

/** The JSON forms of a bigint: a decimal string of at most so many digits, or an integer. */
function wholeNumber({ digits, least = 0, unit = '', below }: WholeNumber) {
  const isTooBig = (text: string) => below !== undefined && /^\d+$/.test(text) && BigInt(text) >= below
  const wanted = `a whole number${unit}${least > 0 ? `, at least ${least}` : ''}`
  const error = ({ input }: { input?: unknown }) => {
    if (input === undefined) return undefined
    if (Number.isInteger(input) && !Number.isSafeInteger(input))
      return 'A number this large must be sent as text, in quotes.'
    const given = typeof input === 'number' ? String(input) : input
    if (typeof given !== 'string') return `Expected ${wanted}, got ${givenName(given)}.`
    if (/^\d+$/.test(given) && given.length > digits) return `This must have at most ${digits} digits.`
    if (isTooBig(given)) return 'This must be less than 2^256.'
    return `Expected ${wanted}, got ${/^[-+.,\deE]{1,40}$/.test(given) ? given : 'text'}.`
  }
  const pattern = new RegExp(`^${least > 0 ? '(?=.*[1-9])' : ''}\\d{1,${digits}}$`)
  const text = z
    .string()
    .regex(pattern, { error })
    .refine((given) => !isTooBig(given), { error })
  return z.union([text, z.int({ error }).min(least, { error })], { error })
}

const toBigInt = (value: string | number) => BigInt(value)

const WHOLE = { description: 'A whole number, as decimal string or integer.', example: '1' }

/**
 * An amount or quantity as bigint: decimal string or integer is accepted, a decimal string is written. Less than 2^256.
 */
export const uint = z
  .codec(wholeNumber({ digits: 78, below: ABOVE_UINT256 }), z.bigint(), { decode: toBigInt, encode: String })
  .meta(WHOLE)

/** A whole number as bigint, of at most 78 digits. The verb checks the upper bound. */
export const whole = z.codec(wholeNumber({ digits: 78 }), z.bigint(), { decode: toBigInt, encode: String }).meta(WHOLE)

/** A sum of money in minor units as bigint, in the same forms. */
export const minorUnits = z
  .codec(wholeNumber({ digits: 78, unit: ' of minor units (cents, wei)' }), z.bigint(), {
    decode: toBigInt,
    encode: String,
  })
  .meta({ description: 'In minor units: cents, wei. A whole number, as decimal string or integer.', example: '1500' })

/** A count as bigint that is written as a JSON number. At most 15 digits. */
export const count = z
  .codec(wholeNumber({ digits: 15 }), z.bigint(), { decode: toBigInt, encode: Number })
  .meta({ description: 'A whole number.', example: 1 })

/** How many units somebody wants: a count of at least 1. */
export const quantity = z
  .codec(wholeNumber({ digits: 15, least: 1 }), z.bigint(), { decode: toBigInt, encode: Number })
  .meta({ description: 'A whole number, at least 1.', example: 1 })

/** A quantity as bigint, at least 1 and less than 2^256, written as a decimal string. */
export const uint256Quantity = z
  .codec(wholeNumber({ digits: 78, least: 1, below: ABOVE_UINT256 }), z.bigint(), { decode: toBigInt, encode: String })
  .meta({ description: 'A whole number, at least 1.', example: 1 })

/** With a domain in any spelling, which is stored in that of DNS. */
export const email = z
  .string()
  .overwrite(asStoredEmail)
  .max(MAX_EMAIL_LENGTH)
  .pipe(z.email({ pattern: EMAIL_ADDRESS, error: 'This is not an email address.' }))
  .meta({ id: 'Email', example: 'ada@example.com' })

/** A query parameter that may be repeated or hold several comma-separated values. At most 1,000. */
export const many = <T extends z.ZodType>(one: T, { commas = true } = {}) =>
  z
    .preprocess((value) => {
      const values = value === undefined ? [] : [value].flat().map(String)
      return (commas ? values.flatMap((entry) => entry.split(',')) : values)
        .map((entry) => entry.trim())
        .filter(Boolean)
    }, z.array(one).max(1000))
    .meta({ commas })

/** A whole number of a query or a path, in decimal digits. */
export const digits = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value),
    z
      .int({
        error: ({ code }) => (code === 'invalid_type' ? 'A whole number is needed, in decimal digits.' : undefined),
      })
      .min(least)
      .max(most),
  )

export const int32 = digits(-2147483648, 2147483647)

/** An optional field of a body that creates something: null means the same as leaving it out. */
export const optional = <T extends z.ZodType>(type: T) => type.nullish()

type Shape = Readonly<Record<string, z.ZodType>>

/** Fields of a record that may each be null, as an answer has them. */
export const nullableFields = <S extends Shape>(shape: S) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, type]) => [name, type.nullable().meta({ description: type.description })]),
  ) as { [Name in keyof S]: z.ZodNullable<S[Name]> }

/** The same as a body gives them: a value, null or nothing. */
export const optionalFields = <S extends Shape>(shape: S) => z.object(nullableFields(shape)).partial().shape

export type Upload = { name: string | null; bytes: Uint8Array }

/** Without zod’s own check, which decodes the text: a file is large. */
const base64 = z
  .string()
  .superRefine((input, issues) => {
    if (input.length % 4 > 0 || !/^[A-Za-z\d+/]*={0,2}$/.test(input))
      issues.addIssue({ code: 'invalid_format', format: 'base64', input, message: 'This is not base64.' })
  })
  .meta({ format: 'base64', contentEncoding: 'base64', pattern: z.regexes.base64.source })

/** A file: a part of a form, or base64 in JSON. */
export const upload = z
  .union(
    [
      z.custom<{ name: string; bytes: Uint8Array }>(
        (value) => (value as { bytes?: unknown } | null)?.bytes instanceof Uint8Array,
      ),
      z.strictObject({ name: safeString.nullish(), base64 }),
    ],
    'Expected a file: a part of a form, or an object with name and base64.',
  )
  .transform((given): Upload => ({
    name: given.name ?? null,
    bytes: 'bytes' in given ? given.bytes : Buffer.from(given.base64, 'base64'),
  }))
  .meta({ id: 'Upload', description: 'A file: a part of a multipart form, or `{name, base64}` in JSON.' })

/** A boolean; the strings "true", "on" and "false" of a form are accepted. */
export const flag = z.preprocess(
  (value) => (value === 'true' || value === 'on' ? true : value === 'false' ? false : value),
  z.boolean(),
)

/** A language tag. `localeGiven` (lib/core/locale-given.ts) says which language it stands for. */
export const locale = safeString
  .trim()
  .min(2)
  .max(35)
  .meta({
    description:
      'A language as BCP 47 writes it. The nearest that pages and mails speak takes its place, ' +
      'and none near it is refused.',
    example: 'de',
  })
