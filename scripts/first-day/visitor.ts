type Answer = { status: number; headers: Headers; text: string }
export type Visitor = { ask: (method: string, path: string, body?: object) => Promise<Answer> }

/** Asks an installation for pages and operations as a page of its own does, with these cookies. */
export const visitorOf = (origin: string, cookies: { name: string; value: string }[] = []): Visitor => ({
  async ask(method, path, body) {
    const response = await fetch(new URL(path, origin), {
      method,
      redirect: 'manual',
      headers: {
        origin,
        cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  },
})
