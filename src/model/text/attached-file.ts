const TAG = 'attached_file'

/** A file that the user attached to a message, as the model reads it. The words of the user end before it. */
export function attachedFile(path: string, content: string): string {
  return `<${TAG}>\n${unclosing(path).replaceAll('\n', '␤')}\n${unclosing(content)}\n</${TAG}>`
}

function unclosing(text: string): string {
  return text.replaceAll(`${TAG}>`, `${TAG} >`)
}

/** The path in such a text; undefined for any other text. */
export function attachedPath(text: string): string | undefined {
  return text.startsWith(`<${TAG}>\n`) ? text.split('\n', 2)[1] : undefined
}
