import type { Metadata } from 'next'
import { docsNavigation } from '@/app/docs/navigation'
import { DocsFrame } from '@/components/docs/docs-frame'
import { PageHeader } from '@/components/ui/page-header'
import { TextLink } from '@/components/ui/text-link'
import { endpoints } from '@/lib/platform/api/index'
import { problemBody } from '@/lib/platform/http/problem'
import { ERROR_HELP } from '@/lib/core/error-help/error-help'
import { AppError, type ErrorCode, ERRORS } from '@/lib/core/errors'

export const metadata: Metadata = { title: 'Errors' }

/** The meaning of each status, whichever code comes with it. */
const STATUSES: Record<number, string> = {
  400: 'The request isn’t well formed',
  401: 'Who is asking isn’t known',
  403: 'Who is asking may not do this',
  404: 'There is nothing by that id',
  405: 'The path doesn’t take this method',
  408: 'The request came too slowly',
  409: 'The state forbids it',
  413: 'The body is too large',
  414: 'The URL is too long',
  415: 'The body is of another kind',
  422: 'It is well formed, but against a rule',
  429: 'Too many requests',
  431: 'The headers are too large',
  500: 'A fault on our side',
  503: 'Not possible right now',
}

const byStatus = [...Map.groupBy(Object.keys(ERRORS) as ErrorCode[], (code) => ERRORS[code][0])].sort(
  ([a], [b]) => a - b,
)

export default function ErrorsPage() {
  return (
    <DocsFrame navigation={docsNavigation().navigation} current="errors">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
        <PageHeader
          title="Errors"
          description={
            <span>
              Every failure is <Mono>application/problem+json</Mono>. Its <Mono>type</Mono> leads to a part of this
              page, its <Mono>code</Mono> never changes its meaning, its <Mono>detail</Mono> is written for people, and
              its <Mono>errors</Mono> name each field. Quote the <Mono>request_id</Mono> when you ask for help.
            </span>
          }
        />
        <section aria-labelledby="example" className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <h2 id="example" className="text-lg font-medium">
            An answer
          </h2>
          <Example answer={exampleOf('invalid_request')} />
          <p className="text-sm text-muted">
            The examples below leave out <Mono>type</Mono>, <Mono>title</Mono>, <Mono>request_id</Mono> and{' '}
            <Mono>error</Mono>, which repeats code and detail.
          </p>
        </section>
        <nav aria-label="Codes" className="grid gap-4 rounded-lg border bg-pane p-5 text-sm sm:p-6">
          {byStatus.map(([status, codes]) => (
            <div key={status} className="grid gap-x-4 gap-y-1 sm:grid-cols-[3rem_minmax(0,1fr)]">
              <span className="figures text-muted">{status}</span>
              <ul className="flex flex-wrap gap-x-4 gap-y-1">
                {codes.map((code) => (
                  <li key={code}>
                    <TextLink href={`#${code}`} className="figures wrap-anywhere">
                      {code}
                    </TextLink>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        {byStatus.map(([status, codes]) => (
          <section key={status} aria-labelledby={`status-${status}`} className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <h2 id={`status-${status}`} className="text-lg font-medium">
              <span className="figures text-muted">{status}</span> <span>{STATUSES[status]}</span>
            </h2>
            {codes.map((code) => (
              <ErrorEntry key={code} code={code} />
            ))}
          </section>
        ))}
      </div>
    </DocsFrame>
  )
}

function ErrorEntry({ code }: { code: ErrorCode }) {
  const { cause, remedy } = ERROR_HELP[code]
  const operations = endpoints.filter(({ errors }) => errors?.some((error) => error === code))
  return (
    <article
      id={code}
      className={
        'grid scroll-mt-6 grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border bg-pane p-5 target:border-glass ' +
        'target:bg-glass-soft sm:p-6'
      }
    >
      <h3 className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <TextLink href={`#${code}`} className="figures font-medium wrap-anywhere">
          {code}
        </TextLink>
        <span className="text-muted">{ERRORS[code][1]}</span>
      </h3>
      <dl
        className={
          'grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[6rem_minmax(0,1fr)] [&_dd]:max-sm:mb-1.5 [&_dt]:text-muted'
        }
      >
        <dt>Cause</dt>
        <dd>{withCode(cause)}</dd>
        <dt>Remedy</dt>
        <dd>{withCode(remedy)}</dd>
        {operations.length > 0 && (
          <>
            <dt>Operations</dt>
            <dd className="text-muted">{operations.map(({ summary }) => summary).join(', ')}</dd>
          </>
        )}
      </dl>
      <Example answer={ownPart(exampleOf(code))} />
    </article>
  )
}

/** An answer with this code, made as the real ones are. */
function exampleOf(code: ErrorCode): object {
  const { detail, field, fieldCode = code, more } = ERROR_HELP[code]
  const fields = field ? [{ field, code: fieldCode, detail: detail.replace(`${field}: `, '') }] : []
  const error = new AppError(code, detail, { fields, ...(more && { extra: more }) })
  return problemBody(error, '0198c2f0-0000-7000-8000-000000000000')
}

/** The members of an answer that differ from code to code. */
const ownPart = (answer: object): object =>
  Object.fromEntries(
    Object.entries(answer).filter(
      ([name, value]) => !['type', 'title', 'request_id', 'error'].includes(name) && (value as unknown[]).length !== 0,
    ),
  )

const Example = ({ answer }: { answer: object }) => (
  <pre className="figures rounded-md bg-well px-4 py-3 text-sm whitespace-pre-wrap wrap-anywhere">
    {JSON.stringify(answer, null, 2)}
  </pre>
)

const Mono = ({ children }: { children: string }) => <code className="figures wrap-anywhere">{children}</code>

/** Text whose parts between backticks are code. */
const withCode = (text: string) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <Mono key={at}>{part}</Mono> : <span key={at}>{part}</span>))
