import type { ShellWord } from './shell-word.ts'

/** The programs that options of a tool name, which else is only given files: `tar -I PROGRAM`, `rsync -e PROGRAM`. */
export function optionPrograms(name: string, words: readonly ShellWord[]): string[] {
  const option = NAMES_PROGRAM.get(name)
  if (option === undefined) return []
  return words.flatMap(({ text }, at) => {
    const [isGiven, attached] = option.exec(text ?? '') ?? []
    if (isGiven === undefined) return []
    return (attached === '' ? words[at + 1]?.text : attached) ?? []
  })
}

const WRAPPER = /^-wrapper()$/
const NAMES_PROGRAM: ReadonlyMap<string, RegExp> = new Map([
  [
    'tar',
    /^(?:-[a-zA-Z]*?[IF]|--(?:use-compress-program|to-command|info-script|new-volume-script|rsh-command|rmt-command)(?:=|$))(.*)$/s,
  ],
  ['rsync', /^(?:-[a-zA-Z]*?e|--(?:rsh|rsync-path)(?:=|$))(.*)$/s],
  ['scp', /^-[a-zA-Z]*?S(.*)$/s],
  ['gcc', WRAPPER],
  ['g++', WRAPPER],
  ['cc', WRAPPER],
])
