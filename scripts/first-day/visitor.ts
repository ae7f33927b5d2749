type Answer = { status: number; headers: Headers; text: string }
export type Visitor = {
  ask: (method: string, path: string, body?: FormData | object) => Promise<Answer>
  /** Opens a page, fills its form in and sends it. */
  submit: (path: string, values: Record<string, string>) => Promise<Answer>
}

/** Somebody with a browser that keeps cookies and runs no script. */
export function visitorOf(origin: string): Visitor {
  const cookies = new Map<string, string>()
  const ask: Visitor['ask'] = async (method, path, body) => {
    const isForm = body instanceof FormData
    const response = await fetch(new URL(path, origin), {
      method,
      redirect: 'manual',
      headers: {
        origin,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name) cookies.set(name, value!)
    }
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return {
    ask,
    async submit(path, values) {
      const { text } = await ask('GET', path)
      const form = new FormData()
      for (const [input] of text.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
        const name = /name="([^"]*)"/.exec(input)?.[1]
        if (name) form.set(plain(name), plain(/value="([^"]*)"/.exec(input)?.[1] ?? ''))
      }
      for (const [name, value] of Object.entries(values)) form.set(name, value)
      return ask('POST', path, form)
    },
  }
}

const plain = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')
