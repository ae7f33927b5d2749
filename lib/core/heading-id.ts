/** The anchor of a heading, as code hosts make it from the same Markdown. */
export const headingId = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
