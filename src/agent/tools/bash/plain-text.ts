/** A terminal's text without escapes (colours, cursor moves, titles, links) and other control characters; lines and tabs stay. */
export function plainText(text: string): string {
  return text.replace(ESCAPES, '').replace(CONTROLS, '')
}

/** Makes plain text of pieces as they come: bytes of a character or an escape that are not all there wait for the next. */
export class PlainTextStream {
  readonly #decoder = new TextDecoder('utf-8')
  #rest = ''

  add(chunk: Uint8Array): string {
    const text = this.#rest + this.#decoder.decode(chunk, { stream: true })
    const open = OPEN_ESCAPE.exec(text.slice(-LONGEST_OPEN))
    const end = open === null ? text.length : text.length - open[0].length
    this.#rest = text.slice(end)
    return plainText(text.slice(0, end))
  }
}

const LONGEST_OPEN = 500
const ESCAPES =
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|\u001b[\]P^_X][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|\u001b[ -/]{0,4}[0-~]/g
const CONTROLS = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g
const OPEN_ESCAPE = /\u001b(?:\[[0-?]*[ -/]*|[\]P^_X][^\u0007\u001b]*\u001b?|[ -/]*)$/
