/** A longer chunk ends at the next line, even inside a paragraph or a code block. */
const MOST_CHARACTERS = 16_000

/**
 * Cuts a growing Markdown text into chunks that can be rendered separately. All but the last never change, so only the
 * new part of a long reply is rendered.
 */
export class MarkdownChunks {
  #done: string[] = []
  /** The start of the first chunk that may still change. */
  #from = 0
  /** The line that opened the code block in which the last chunk ended. */
  #fence = ''

  update(text: string): readonly string[] {
    if (text.length < this.#from) this.#reset()
    for (let cut = this.#nextCut(text); cut !== undefined; cut = this.#nextCut(text)) {
      this.#done.push(this.#chunk(text.slice(this.#from, cut.at), cut.fence))
      this.#fence = cut.fence
      this.#from = cut.at
    }
    const rest = text.slice(this.#from)
    return rest.trim() === '' ? this.#done : [...this.#done, this.#chunk(rest, '')]
  }

  #reset(): void {
    this.#done = []
    this.#from = 0
    this.#fence = ''
  }

  #chunk(text: string, openFence: string): string {
    const body = this.#fence === '' ? text : `${this.#fence}\n${text}`
    return openFence === '' ? body : `${body}${markOf(openFence)}\n`
  }

  /** The end of the current chunk, a blank line between two paragraphs, if the text has one already. */
  #nextCut(text: string): { at: number; fence: string } | undefined {
    let fence = this.#fence
    let blank = false
    for (let start = this.#from; ; ) {
      const end = text.indexOf('\n', start)
      if (end === -1) return undefined
      const line = text.slice(start, end)
      if (blank && fence === '' && start > this.#from && isParagraphStart(line)) return { at: start, fence }
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
      if (mark !== undefined) {
        if (fence === '') fence = line
        else if (mark.startsWith(markOf(fence)) && line.trim() === mark) fence = ''
      }
      blank = line.trim() === ''
      start = end + 1
      if (start - this.#from > MOST_CHARACTERS) return { at: start, fence }
    }
  }
}

/** A line after a blank one that does not continue a list, a quotation or a table. */
function isParagraphStart(line: string): boolean {
  return /^[^\s>|*+\-\d]/.test(line) || /^(?:\*\*|\d+[^.)\d])/.test(line)
}

function markOf(fence: string): string {
  return /`{3,}|~{3,}/.exec(fence)?.[0] ?? '```'
}
