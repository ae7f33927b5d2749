'use client'

import { useRef } from 'react'
import { Problem } from '@/packages/client/src/call'
import { toBase64Url } from './base64url'

export const newIdempotencyKey = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(24)))

/**
 * Whether a failure says that nothing was done. Otherwise what was asked for may have been done, and its key, repeated,
 * brings the result.
 */
export const isRefused = (failure: unknown): boolean =>
  failure instanceof Problem && failure.status < 500 && failure.code !== 'idempotency_in_flight'

/**
 * Sends a request under an idempotency key. The same content keeps its key while no response arrives, so that a repeat
 * returns the first result; a refusal, or other content, ends that key.
 */
export function useIdempotentSend(): <T>(content: string, send: (idempotencyKey: string) => Promise<T>) => Promise<T> {
  const attempt = useRef({ content: '', key: '' })
  return async (content, send) => {
    if (attempt.current.content !== content) attempt.current = { content, key: newIdempotencyKey() }
    try {
      return await send(attempt.current.key)
    } catch (failure) {
      if (isRefused(failure)) attempt.current = { content: '', key: '' }
      throw failure
    }
  }
}
