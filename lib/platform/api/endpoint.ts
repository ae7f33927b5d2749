import { z } from 'zod'
import type { ErrorCode } from '../../core/errors.ts'
import type { Permission } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * How a caller is authenticated. `none`: not at all, and without a database. `anonymous`: not at all; published rows
 * only. `claim_token`: by the claim token in the path. `purchase_secret`: by the query's `secret` of the purchase in
 * the path. `api_key`: by an API key, or by the dashboard's session from the same origin.
 */
export type Auth = 'none' | 'anonymous' | 'claim_token' | 'purchase_secret' | 'api_key'

type PathParam<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParam<Rest> : never
type Shape<K extends string> = [K] extends [never] ? undefined : z.ZodObject<Record<K, z.ZodType>>

export type Endpoint = {
  /** A stable name; `x-id` in the OpenAPI documents. */
  id: string
  method: Method
  path: string
  area: string
  auth: Auth
  permission?: Permission
  summary: string
  description?: string
  params?: z.ZodObject
  query?: z.ZodObject
  /** Of a public read: other names that its query parameters are known by. */
  shortNames?: Readonly<Record<string, string>>
  body?: z.ZodType
  /**
   * Of a PATCH: the body that creates such a record. A field that only this one takes is refused as one that can’t be
   * changed.
   */
  creation?: z.ZodType
  response: z.ZodType
  status?: 200 | 201 | 202 | 204
  errors?: readonly ErrorCode[]
  /** An example body, shown in the documentation and checked against `body` by a test. */
  example?: unknown
  /** The response's content type, when it isn't JSON. */
  contentType?: string
  /**
   * The response is streamed: the handler returns an async iterable of text pieces. Clients save it under the last part
   * of the path; `unnamed`: under a name of their own, or a link's. `file`: the handler returns bytes with the name
   * under which they are saved.
   */
  stream?: boolean | 'unnamed' | 'file'
  /** The answer may wait for something to happen, without its request's turn, for as long as the query says. */
  waits?: boolean
  /** The body contains a file: multipart/form-data is accepted besides JSON, up to 25 MiB. */
  upload?: boolean
}

/**
 * Defines an endpoint. Validation, response encoding, OpenAPI, the typed client and generated tests are derived from
 * this value.
 */
export function endpoint<const P extends string, const E extends Omit<Endpoint, 'path' | 'params'>>(
  spec: E & { path: P } & (PathParam<P> extends never ? { params?: undefined } : { params: Shape<PathParam<P>> }),
) {
  return spec
}

type Out<S> = S extends z.ZodType ? z.output<S> : undefined
type In<S> = S extends z.ZodType ? z.input<S> : undefined
type Part<E, K extends string> = E extends { [k in K]: infer S } ? S : undefined
/**
 * Query parameters with a list are `unknown` to their schema, since a single value is accepted too; they may be left
 * out.
 */
type Loose<T> = { [K in keyof T as unknown extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as unknown extends T[K] ? K : never]?: unknown
}
type OmitUndefined<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] }

/** The input of a handler: params, query and body as parsed by the endpoint's schemas. */
export type Input<E> = { params: Out<Part<E, 'params'>>; query: Out<Part<E, 'query'>>; body: Out<Part<E, 'body'>> }
/** The result of a handler: TypeScript values (Date, bigint), before encoding. */
export type Output<E> = E extends { stream: 'file' }
  ? SentFile
  : E extends { stream: true | 'unnamed' }
    ? AsyncIterable<string>
    : Out<Part<E, 'response'>>
export type SentFile = { name: string; pieces: AsyncIterable<Uint8Array> }
/** A caller's request in JSON form. */
export type Call<E> = OmitUndefined<{
  params: In<Part<E, 'params'>>
  query: Loose<In<Part<E, 'query'>>>
  body: In<Part<E, 'body'>>
}>
/** The response that a caller receives, in JSON form. */
export type Answer<E> = In<Part<E, 'response'>>

/** The response of a 204: no body. */
export const noContent = z.undefined()
