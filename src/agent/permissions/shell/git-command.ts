import type { ShellWord } from './shell-word.ts'

/** The index of git's subcommand among the words after `git`. Global options come before it, some with a value. */
export function gitCommandAt(words: readonly ShellWord[]): number {
  let at = 0
  for (; words[at]?.text?.startsWith('-'); at++) if (TAKES_VALUE.test(words[at]?.text ?? '')) at++
  return at
}

const TAKES_VALUE = /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|config-env|super-prefix|attr-source))$/
