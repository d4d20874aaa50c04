import { shellWord } from '../../../model/text/shell-word.ts'

/** The command line in an argument: a text, or words such as `["bash","-lc","npm test"]`, which runs `npm test`. */
export function commandText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (!Array.isArray(value) || value.length === 0) return undefined
  const words = value.map(String)
  return scriptIn(words) ?? words.map(shellWord).join(' ')
}

const SHELL = /(?:^|[/\\])(?:bash|sh|zsh|dash|pwsh|powershell|cmd)(?:\.exe)?$/i
const RUN_OPTION = /^(?:-[a-z]*c|-command|\/c)$/i

/** What a shell runs: the one word behind the option that says so, if it is the last. */
function scriptIn(words: readonly string[]): string | undefined {
  if (!SHELL.test(words[0] ?? '')) return undefined
  const option = words.findIndex((word, index) => index > 0 && RUN_OPTION.test(word))
  return option !== -1 && option === words.length - 2 ? words.at(-1) : undefined
}
