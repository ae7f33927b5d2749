import { z } from 'zod'
import type { ErrorCode } from '../../core/errors.ts'
import type { Permission } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * How a caller is known. `none` needs no database, `anonymous` reads what is published, `claim_token` is the path's own token,
 * `purchase_secret` is the query's `secret` for the purchase of the path, `api_key` is a key (or the dashboard's session on the same origin).
 */
export type Auth = 'none' | 'anonymous' | 'claim_token' | 'purchase_secret' | 'api_key'

type PathParam<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParam<Rest> : never
type Shape<K extends string> = [K] extends [never] ? undefined : z.ZodObject<Record<K, z.ZodType>>

export type Endpoint = {
  /** The name in service.md or gaps.md (P4, A5, …) or a word of our own. */
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
  body?: z.ZodType
  response: z.ZodType
  status?: 200 | 201 | 202 | 204
  errors?: readonly ErrorCode[]
  /** An example body, shown in the documentation and checked against `body` by a test. */
  example?: unknown
  /** Of the answer, when it isn't JSON. */
  contentType?: string
  /** The answer comes piece by piece, however long it is: the handler answers the pieces. */
  stream?: boolean
  /** The body carries a file: multipart/form-data is taken beside JSON, up to 25 MiB. */
  upload?: boolean
}

/** The one definition of an endpoint. Validation, the OpenAPI page, the typed client and the generated tests all read it. */
export function endpoint<const P extends string, const E extends Omit<Endpoint, 'path' | 'params'>>(
  spec: E & { path: P } & (PathParam<P> extends never ? { params?: undefined } : { params: Shape<PathParam<P>> }),
) {
  return spec
}

type Out<S> = S extends z.ZodType ? z.output<S> : undefined
type In<S> = S extends z.ZodType ? z.input<S> : undefined
type Part<E, K extends string> = E extends { [k in K]: infer S } ? S : undefined
/** A list in a query is `unknown` to its schema, since one value may stand for it; it may also be left out. */
type Loose<T> = { [K in keyof T as unknown extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as unknown extends T[K] ? K : never]?: unknown
}
type Drop<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] }

/** What a handler receives: parsed. */
export type Input<E> = { params: Out<Part<E, 'params'>>; query: Out<Part<E, 'query'>>; body: Out<Part<E, 'body'>> }
/** What a handler returns: our values, before encoding. */
export type Output<E> = E extends { stream: true } ? AsyncIterable<string> : Out<Part<E, 'response'>>
/** What a caller sends over the wire. */
export type Call<E> = Drop<{
  params: In<Part<E, 'params'>>
  query: Loose<In<Part<E, 'query'>>>
  body: In<Part<E, 'body'>>
}>
/** What a caller receives over the wire. */
export type Answer<E> = In<Part<E, 'response'>>

/** 204: nothing comes back. */
export const nothing = z.undefined()
