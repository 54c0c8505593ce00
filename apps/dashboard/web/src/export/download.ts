/** Gives the browser a file to keep. */
export function downloadFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** A title as the name of a file: letters, digits, dots and dashes. */
export function fileName(title: string, ending: string): string {
  const name = title
    .trim()
    .replaceAll(/[^\p{L}\p{N}.-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100)
  return `${name || 'export'}.${ending}`
}
