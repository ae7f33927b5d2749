import { expect, test as base } from '@playwright/test'
import { stack } from './stack.ts'

/** Every page of every test may talk to our own origin only; a request to anybody else fails the test. */
export const test = base.extend<{ nobodyElse: void }>({
  nobodyElse: [
    async ({ context }, use) => {
      const foreignRequests: string[] = []
      context.on('request', (request) => {
        const { protocol, origin } = new URL(request.url())
        if (/^https?:$/.test(protocol) && origin !== stack().origin) foreignRequests.push(request.url())
      })
      await use()
      expect(foreignRequests, 'requests to third parties').toEqual([])
    },
    { auto: true },
  ],
})
export { expect }
