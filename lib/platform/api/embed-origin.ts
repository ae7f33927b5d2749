/** The form of an origin that may show our pages in a frame. Anything else could add directives to their policy. */
export const EMBED_ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d+)?$/i
