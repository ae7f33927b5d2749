import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import ErrorsPage from '../../app/docs/errors/page.tsx'
import { AppError, type ErrorCode, ERRORS } from '../../lib/core/errors.ts'
import { problemBody } from '../../lib/platform/http/problem.ts'
import { inEnglish } from '../support/in-english.ts'

test('the type of each answer leads to an anchor of the page, where its cause and an example are', () => {
  const page = renderToStaticMarkup(inEnglish(ErrorsPage()))
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const { type } = problemBody(new AppError(code, 'Whatever.'), 'x') as { type: string }
    const { pathname, hash } = new URL(type)
    expect(pathname).toBe('/docs/errors')
    expect(page.split(`id="${hash.slice(1)}"`), code).toHaveLength(2)
  }
  expect(page).toContain('&quot;tries_left&quot;: 4')
})
