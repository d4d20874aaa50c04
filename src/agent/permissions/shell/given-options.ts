import { type ShellWord, wordOf } from './shell-word.ts'
import { exactText, literal, type TextShape } from './text-shape.ts'

/** The options of a command that take a value: letters and long names. Others count as flags. */
export type OptionTable = {
  readonly letters: string
  readonly names: readonly string[]
  /** Letters and names whose value is the next word only if that is a number. */
  readonly numbers?: readonly string[]
}

/** An option on a command line: a letter of `-rn` or a long name, with its value if it has one. */
export type GivenOption = { readonly name: string; readonly value?: ShellWord | undefined }

/** The arguments of a command, split into options and operands. */
export type GivenWords = {
  readonly options: readonly GivenOption[]
  readonly operands: readonly ShellWord[]
  /** False if the text does not show which words are values. Such words count as operands, too. */
  readonly isSure: boolean
}

export const NO_TABLE: OptionTable = { letters: '', names: [] }

/** Splits the words after a command's name into options, their values and operands. */
export function givenWords(words: readonly ShellWord[], table: OptionTable): GivenWords {
  const options: GivenOption[] = []
  const operands: ShellWord[] = []
  let isSure = true
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as ShellWord
    if (word.text === '--') return { options, operands: [...operands, ...words.slice(at + 1)], isSure }
    if (!isOption(word)) {
      operands.push(word)
      continue
    }
    const given = optionsIn(word, table)
    options.push(...given.options)
    if (given.isDoubtful) isSure = false
    const value = words[at + 1]
    const { last } = given
    if (last === undefined || value === undefined) continue
    if (table.numbers?.includes(last.name) === true && value.text !== undefined && !/^\d+$/.test(value.text)) continue
    options.push({ ...last, value })
    at++
    if (value.isMany || (value.text === undefined && table.numbers?.includes(last.name) === true)) {
      isSure = false
      operands.push(value)
    }
  }
  return { options, operands, isSure }
}

/** Whether one of these options is given. GNU programs also accept the beginning of a long name. */
export function isGiven(options: readonly GivenOption[], ...names: readonly string[]): boolean {
  return options.some(({ name: given }) =>
    names.some((name) => name === given || (given.length > 1 && name.length > 1 && name.startsWith(given))),
  )
}

/** True for an option, also for one with a hole (`--include=*.ts`). A single `-` is the standard input. */
function isOption({ shapes, text }: ShellWord): boolean {
  return text !== '-' && shapes.every(([first]) => first !== undefined && 'text' in first && first.text.startsWith('-'))
}

type OptionsOfWord = {
  readonly options: readonly GivenOption[]
  /** The last option, if its value is the next word. */
  readonly last?: GivenOption | undefined
  readonly isDoubtful: boolean
}

function optionsIn(word: ShellWord, table: OptionTable): OptionsOfWord {
  const all = word.shapes.map((shape) => optionsOf(shape, table))
  const [first, ...others] = all
  if (first === undefined) return { options: [], isDoubtful: true }
  const names = (one: OptionsOfWord) =>
    [...one.options, ...(one.last === undefined ? [] : [one.last])].map(({ name }) => name)
  const isSame = others.every((other) => `${names(other)}` === `${names(first)}` && !other.last === !first.last)
  const isSplit =
    word.isMany && word.shapes.some((shape) => shape.some((part) => 'hole' in part && part.hole === 'any'))
  const isDoubtful = !isSame || isSplit || all.some((one) => one.isDoubtful)
  if (!isSame) return { options: all.flatMap(({ options, last }) => [...options, ...(last ? [last] : [])]), isDoubtful }
  const values = all.flatMap(({ options }) => options.at(-1)?.value?.shapes ?? [])
  const options = first.options.map((option) =>
    option.value === undefined ? option : { ...option, value: wordOf(values, word.source, word.isMany) },
  )
  return { options, last: first.last, isDoubtful }
}

function optionsOf(shape: TextShape, table: OptionTable): OptionsOfWord {
  const [first, ...rest] = shape
  const text = first !== undefined && 'text' in first ? first.text : ''
  return text.startsWith('--') ? longOption(text.slice(2), rest, table) : shortOptions(text.slice(1), rest, table)
}

function longOption(text: string, rest: TextShape, { names, numbers = [] }: OptionTable): OptionsOfWord {
  const end = text.indexOf('=')
  if (end !== -1) {
    const value = wordOf([[...literal(text.slice(end + 1)), ...rest]], '')
    return { options: [{ name: text.slice(0, end), value }], isDoubtful: false }
  }
  const option = { name: text }
  if (rest.length > 0) return { options: [option], isDoubtful: true }
  const all = [...names, ...numbers]
  if (all.includes(text)) return { options: [], last: option, isDoubtful: false }
  // The beginning of such a name may be an abbreviation of it, or another flag.
  return { options: [option], isDoubtful: all.some((name) => name.startsWith(text)) }
}

/** `-rn`, `-reKEY`: the rest of the word is the value of the first letter that takes one. */
function shortOptions(text: string, rest: TextShape, { letters, numbers = [] }: OptionTable): OptionsOfWord {
  const options: GivenOption[] = []
  for (const [at, name] of [...text].entries()) {
    const value = [...literal(text.slice(at + 1)), ...rest]
    const takesNumber = numbers.includes(name)
    if ((letters.includes(name) || takesNumber) && value.length === 0)
      return { options, last: { name }, isDoubtful: false }
    if (letters.includes(name) || (takesNumber && /^\d+$/.test(exactText(value) ?? '')))
      return { options: [...options, { name, value: wordOf([value], '') }], isDoubtful: false }
    options.push({ name })
  }
  return { options, isDoubtful: rest.length > 0 }
}
