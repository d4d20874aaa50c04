/** Puts a text on the clipboard; false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Over plain HTTP from another machine browsers have no such clipboard, but selected text can be copied.
    return copySelected(text)
  }
}

function copySelected(text: string): boolean {
  const field = Object.assign(document.createElement('textarea'), { value: text })
  const before = document.activeElement
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return isCopied
}
