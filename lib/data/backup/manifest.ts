import { z } from 'zod'

const counted = z.object({ rows: z.int().min(0), checksum: z.string() })

/** The beginning of a backup. Keys and operators are named, never told: fingerprints and addresses. */
export const headSchema = z.object({
  format: z.literal(1),
  version: z.string(),
  takenAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string().regex(/^\w+$/), checksum: z.string() })),
  serverKeys: z.array(z.string()),
  voucherKeys: z.array(z.string()),
  operators: z.array(z.string()),
  /** The last block of each network that the books have entered. */
  networks: z.array(z.object({ id: z.int(), block: z.string() })),
})
export type Head = z.output<typeof headSchema>

/**
 * The parts that follow the head, one after the other. `jobs`: those that an earlier release left. `media`: a line for
 * each stored file, with the beginning of its names and the bytes of its original.
 */
export const partSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('table'), name: z.string(), columns: z.array(z.string()) }),
  z.object({ type: z.literal('jobs') }),
  z.object({ type: z.literal('media') }),
  z.object({ type: z.literal('file'), name: z.string(), contentType: z.string() }),
])
export type Part = z.output<typeof partSchema>
export const doneSchema = counted

export const endSchema = z.object({
  parts: z.int(),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), called: z.boolean() })),
})
export type End = z.output<typeof endSchema>
