import { z } from 'zod'

/** 0 or 1. */
export const flag = z
  .enum(['0', '1'])
  .default('0')
  .transform((value) => value === '1')

/** A whole number from 0 on. */
export const count = (fallback: number) => z.coerce.number().int().min(0).default(fallback)

/** Entries with commas between them. */
export const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  )
