import { expect, test } from 'vitest'
import { OPENED_FIELD } from '../../lib/platform/api/form-action.ts'
import {
  allFieldsOf,
  assertNotChangedMeanwhile,
  bodyOfChanges,
  ChangedMeanwhile,
  changesOf,
  openedOf,
} from '../../lib/platform/http/changed-fields.ts'
import { formBody } from '../../lib/platform/http/form-body.ts'

function changesIn(opened: Record<string, unknown>, ...pairs: [string, string][]) {
  const form = new FormData()
  form.set(OPENED_FIELD, JSON.stringify(opened))
  for (const [name, value] of pairs) form.append(name, value)
  return changesOf(form, formBody(form), openedOf(form)!)
}

const sentOf = (...given: Parameters<typeof changesIn>) => bodyOfChanges(changesIn(...given))

test('a form sends only the fields that differ from what it was opened with', () => {
  const opened = {
    name: ' Night garden',
    note: null,
    text: ' a\r\nb ',
    send_at: '2026-10-25T00:30:15.123Z',
    flag: true,
    days: 3,
    policy: { max_per_user: '2', other: 1, payment_session_duration: { timeout_seconds: 90, provider_override: {} } },
    royalty_info: { receiver: '0x1', amount_bps: 250 },
    not_shown: 'x',
  }
  const untouched: [string, string][] = [
    ['name', ' Night garden'],
    ['note:null', ''],
    ['text:long', ' a\r\nb '],
    ['send_at:utc', '2026-10-25T02:30:15.123'],
    ['send_at:moment', '2026-10-25T00:30:15.123Z'],
    ['flag:flag', ''],
    ['flag:flag', 'on'],
    ['days:number', '3'],
    ['policy.max_per_user:null', '2'],
    ['policy.payment_session_duration.timeout_seconds:number', '90'],
    ['royalty_info.receiver', '0x1'],
    ['royalty_info.amount_bps:number', '250'],
  ]
  const typed = (name: string, value: string) =>
    untouched.map((pair): [string, string] => (pair[0] === name ? [name, value] : pair))
  expect(sentOf(opened, ...untouched)).toEqual({})
  expect(sentOf(opened, ...typed('text:long', 'a\nb'))).toEqual({ text: 'a\nb' })
  expect(sentOf(opened, ...typed('policy.max_per_user:null', ''))).toEqual({ policy: { max_per_user: null } })
  const seconds = 'policy.payment_session_duration.timeout_seconds:number'
  expect(sentOf(opened, ...typed(seconds, ''))).toEqual({
    policy: { payment_session_duration: { timeout_seconds: null } },
  })
  expect(sentOf(opened, ...typed('royalty_info.receiver', '0x2'))).toEqual({
    royalty_info: { receiver: '0x2', amount_bps: 250 },
  })
  // An emptied field isn't left out: the endpoint says whether it may be empty.
  expect(sentOf(opened, ...typed('name', ' '))).toEqual({ name: null })
  expect(sentOf(opened, ...typed('days:number', ''))).toEqual({ days: null })
})

test('without scripts a moment is typed in UTC', () => {
  expect(sentOf({ at: '2026-10-25T00:30:00.000Z' }, ['at:utc', '2026-10-25T00:31'])).toEqual({
    at: '2026-10-25T00:31Z',
  })
})

test('a field that somebody else changed meanwhile is named with both values, and others don’t disturb', () => {
  const opened = { name: 'A', days: 3, campaign: null }
  const changes = changesIn(opened, ['name', 'B'], ['days:number', '3'], ['campaign:null', 'x'])
  assertNotChangedMeanwhile({ name: 'A', days: 7, campaign: 'x', sold: 4 }, changes, opened)
  const attempt = () => assertNotChangedMeanwhile({ name: 'C', days: 7, campaign: null }, changes, opened)
  expect(attempt).toThrow(ChangedMeanwhile)
  try {
    attempt()
  } catch (error) {
    const { meanwhile, opened: next } = error as ChangedMeanwhile
    expect(meanwhile).toEqual([{ field: 'name', theirs: 'C', yours: 'B' }])
    // Whoever saves again has seen theirs.
    expect(next).toEqual({ name: 'C', days: 3, campaign: null })
    assertNotChangedMeanwhile({ name: 'C', days: 7, campaign: null }, changesIn(next, ['name', 'B']), next)
  }
})

test('a record that is saved as a whole is compared as a whole, and sent so', () => {
  const opened = { subject: 'A', blocks: [{ type: 'TEXT', text: 'one' }] }
  const body = { ...opened, subject: 'B' }
  const changes = allFieldsOf(body, opened)
  expect(bodyOfChanges(changes)).toEqual(body)
  assertNotChangedMeanwhile(opened, changes, opened)
  const theirs = [
    { ...opened, blocks: [{ type: 'TEXT', text: 'two' }] },
    { subject: 'A', text: 'one', format: 'HTML', body: '<p>one</p>' },
    {},
  ]
  for (const record of theirs)
    expect(() => assertNotChangedMeanwhile(record, changes, opened)).toThrow(ChangedMeanwhile)
  // Written as code instead of blocks, it still names the blocks that it would replace.
  const asCode = allFieldsOf({ subject: 'A', text: 'one', format: 'HTML', body: '<p>one</p>' }, opened)
  assertNotChangedMeanwhile(opened, asCode, opened)
  expect(() => assertNotChangedMeanwhile(theirs[0], asCode, opened)).toThrow(ChangedMeanwhile)
})

test('a form that doesn’t say what it was opened with is none of ours', () => {
  const form = new FormData()
  expect(openedOf(form)).toBeNull()
  for (const text of ['', '[]', 'null', '{"a"', '{"__proto__":1}']) {
    form.set(OPENED_FIELD, text)
    expect(openedOf(form)).toBeNull()
  }
})
