/** Forms are sent with CR LF as line breaks. What is stored has LF. */
export const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n')
