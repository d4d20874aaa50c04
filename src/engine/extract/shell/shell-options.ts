import type { Word } from './shell-lexer.ts'

/** The options of a command that take a value: one-letter options in a row, long ones by name, without dashes. */
export type OptionRule = {
  short?: string
  long?: readonly string[]
  /** One-letter options whose value, if they have one, is the rest of the word. */
  attached?: string
}

/** The parsed arguments of a command. */
export type Arguments = {
  operands: readonly Word[]
  /** Every option that was given, with its values; a flag has none. */
  options: ReadonlyMap<string, readonly Word[]>
}

/** Parses the words after a command's name: `-ab`, `-n5`, `-n 5`, `--name=value`, `--name value` and `--`. */
export function parseArguments(words: readonly Word[], rule: OptionRule): Arguments {
  const operands: Word[] = []
  const options = new Map<string, Word[]>()
  const give = (name: string, value?: Word) => {
    const values = options.get(name) ?? []
    options.set(name, values)
    if (value !== undefined) values.push(value)
  }
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as Word
    const { text } = word
    if (text === '--') {
      for (const rest of words.slice(i + 1)) operands.push(rest)
      break
    }
    if (text.startsWith('--')) {
      const equals = text.indexOf('=')
      const name = text.slice(2, equals === -1 ? undefined : equals)
      if (equals !== -1) give(name, { ...word, text: text.slice(equals + 1) })
      else give(name, rule.long?.includes(name) ? words[++i] : undefined)
    } else if (text.startsWith('-') && text.length > 1) {
      for (let at = 1; at < text.length; at++) {
        const letter = text[at] as string
        const rest = at + 1 < text.length ? { ...word, text: text.slice(at + 1) } : undefined
        if (rule.short?.includes(letter)) give(letter, rest ?? words[++i])
        else give(letter, rule.attached?.includes(letter) ? rest : undefined)
        if (rule.short?.includes(letter) || rule.attached?.includes(letter)) break
      }
    } else operands.push(word)
  }
  return { operands, options }
}
