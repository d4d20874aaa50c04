import { absolute, type RawStep } from './raw-session.ts'

/** One program call of a command line, with its folder. Deliberately simple: no variables, no functions, no loops. */
export type Segment = { readonly words: readonly string[]; readonly folder: string; readonly text: string }

const SHELLS = /^(?:bash|shell|exec_command|local_shell|run_shell_command|container\.exec|run_command)$/i

/** The command line of a step, if it ran one. */
export function commandLine({ tool, input }: RawStep): string | undefined {
  if (!SHELLS.test(tool)) return undefined
  const value = input.command ?? input.cmd
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map(String).at(-1) : undefined
}

/** The program calls of a step in their order; `cd` changes the folder of those after it. */
export function segmentsOf(step: RawStep): Segment[] {
  const line = commandLine(step)
  if (line === undefined) return []
  let { folder } = step
  return split(withoutHeredocs(line)).flatMap((text) => {
    const words = withoutWrappers(wordsOf(text))
    if (words[0] === 'cd' && words[1] !== undefined) {
      folder = absolute(words[1], folder)
      return []
    }
    return words.length === 0 ? [] : [{ words, folder, text: text.trim() }]
  })
}

function withoutHeredocs(line: string): string {
  return line.replace(/<<-?\s*(['"]?)(\w+)\1([^\n]*)\n[\s\S]*?\n\s*\2(?=\s|\)|$)/g, '$3')
}

/** Splits at `&&`, `||`, `;`, `|`, `&` and line ends outside quotes and brackets of `$(…)`. */
function split(line: string): string[] {
  const parts: string[] = []
  let [part, quote, depth] = ['', '', 0]
  for (let i = 0; i < line.length; i++) {
    const char = line[i] ?? ''
    if (char === '\\' && quote !== "'") {
      part += char + (line[++i] ?? '')
      continue
    }
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (line.startsWith('$(', i)) depth++
    else if (char === ')' && depth > 0) depth--
    else if (depth === 0 && /[;|\n]/.test(char)) {
      parts.push(part)
      part = ''
      continue
    } else if (depth === 0 && char === '&' && !/[<>]/.test(line[i - 1] ?? '') && line[i + 1] !== '>') {
      parts.push(part)
      part = ''
      continue
    }
    part += char
  }
  return [...parts, part]
}

function wordsOf(text: string): string[] {
  const words = text.match(/(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|[^\s"'\\])+/g) ?? []
  return words
    .map((word) => word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'/g, (_, a, b) => a ?? b).replace(/\\(.)/g, '$1'))
    .filter((word) => !/^[({})!]$/.test(word))
}

const WRAPPERS = /^(?:sudo|env|time|timeout|nohup|nice|command|exec|then|do|else|if|while|rtk)$/

function withoutWrappers(words: readonly string[]): string[] {
  let at = 0
  for (; at < words.length; at++) {
    const word = words[at] ?? ''
    if (/^[A-Za-z_]\w*=/.test(word) || (at > 0 && /^-|^\d+[smh]?$/.test(word))) continue
    if (!WRAPPERS.test(word)) break
  }
  const [name = '', ...rest] = words.slice(at)
  return name === '' ? [] : [name.slice(name.lastIndexOf('/') + 1), ...rest]
}
