import { quotable } from '../../model/text/quotable.ts'

/** All that the model reads after a compaction: the record, what was kept, and the tail. */
export type ShownText = {
  /** How much of a text it has, word for word. */
  readonly has: (text: string) => 'all' | 'beginning' | 'nothing'
  /** Whether it has a name. A list in braces names each of its files, so the parts of a name are looked for one by one. */
  readonly hasName: (name: string) => boolean
}

/** So much of a text counts as its beginning: the first sentence of a message often stands in others too. */
const BEGINNING_CHARACTERS = 60
/** A record quotes no longer text whole. */
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
