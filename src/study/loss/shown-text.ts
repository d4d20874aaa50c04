import { quotable } from '../../model/text/quotable.ts'

/** Everything that the model reads after a compaction: the record, the kept messages, and the tail. */
export type ShownText = {
  /** How much of a text it contains, word for word. */
  readonly has: (text: string) => 'all' | 'beginning' | 'nothing'
  /** Whether it contains a name. A list in braces names each of its files, so the parts of a name are searched one by one. */
  readonly hasName: (name: string) => boolean
}

/** The length of a text's beginning. A shorter one, such as the first sentence of a message, often occurs in others, too. */
const BEGINNING_CHARACTERS = 60
/** A record never quotes a longer text whole. */
const QUOTED_CHARACTERS = 20_000

export function shownText(texts: readonly string[]): ShownText {
  const all = texts.join('\n')
  const flat = quotable(all)
  const words = new Set(all.split(/\W+/))
  return {
    has: (text) => {
      const wanted = quotable(text.slice(0, QUOTED_CHARACTERS))
      if (text.length <= QUOTED_CHARACTERS && flat.includes(wanted)) return 'all'
      return flat.includes(wanted.slice(0, BEGINNING_CHARACTERS)) ? 'beginning' : 'nothing'
    },
    hasName: (name) => name.split(/\W+/).every((part) => words.has(part)),
  }
}
