/** A chunk that is longer than this ends at the next line, whatever it is in the middle of. */
const MOST_CHARACTERS = 16_000

/**
 * Cuts a growing text in Markdown into chunks that can be rendered apart. All but the last stay as they are, so a long
 * reply costs what is new of it.
 */
export class MarkdownChunks {
  #done: string[] = []
  /** Where the first chunk that may still change begins. */
  #from = 0
  /** The line that opened a code block which a cut went through. */
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

  /** The end of the chunk at hand, if the text has it already: a blank line between two paragraphs. */
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

/** A line after a blank one that does not go on with a list, a quotation or a table. */
function isParagraphStart(line: string): boolean {
  return /^[^\s>|*+\-\d]/.test(line) || /^(?:\*\*|\d+[^.)\d])/.test(line)
}

function markOf(fence: string): string {
  return /`{3,}|~{3,}/.exec(fence)?.[0] ?? '```'
}
