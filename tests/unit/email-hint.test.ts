import { expect, test } from 'vitest'
import { emailHintOf } from '../../lib/giving/claim-state.ts'

test.each([
  ['ada@example.com', 'a•••@e•••.com'],
  ['a@b.org', 'a•••@b•••.org'],
  ['grace.hopper@mail.navy.example', 'g•••@m•••.example'],
  ['root@localhost', 'r•••@l•••'],
])('%s is hinted at as %s', (email, hint) => {
  expect(emailHintOf(email)).toBe(hint)
})
