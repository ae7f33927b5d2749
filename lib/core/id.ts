import { v7 } from 'uuid'

/** A new id: UUIDv7, so that ids sort by creation and serve as page cursors. */
export const newId = (): string => v7()

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Of anything: what a form's action was given may be no text. */
export const isUuid = (value: unknown): boolean => typeof value === 'string' && UUID.test(value)
