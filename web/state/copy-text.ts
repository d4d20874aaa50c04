/** Puts a text on the clipboard; false where the browser does not let the page. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Over plain HTTP from another machine there is no such clipboard: what is selected can be copied all the same.
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
