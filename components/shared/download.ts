/** Downloads a text as a file. */
export const downloadText = (name: string, text: string, type = 'application/json'): void =>
  downloadBlob(name, new Blob([text], { type }))

export function downloadBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  URL.revokeObjectURL(address)
}
