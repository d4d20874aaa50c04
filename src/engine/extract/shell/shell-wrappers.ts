import type { Word } from './shell-lexer.ts'
import type { OptionRule } from './shell-options.ts'

/** Behind commands that run another one (sudo, env, timeout 5, …): the name and the arguments of that other one. */
export function withoutWrappers(words: readonly Word[]): { name: string; rest: readonly Word[] } | undefined {
  let at = 0
  for (;;) {
    const name = commandName(words[at]?.text ?? '')
    const wrapper = WRAPPERS.get(name)
    if (wrapper === undefined) return name === '' ? undefined : { name, rest: words.slice(at + 1) }
    at = behindWrapper(words, at + 1, wrapper)
  }
}

type Wrapper = OptionRule & { operands?: number }

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ['sudo', { short: 'ugpCDhRrTtU', long: ['user', 'group', 'chdir'] }],
  ['doas', { short: 'uC' }],
  ['env', { short: 'uCS', long: ['unset', 'chdir'] }],
  ['time', { short: 'of' }],
  ['timeout', { short: 'sk', long: ['signal', 'kill-after'], operands: 1 }],
  ['gtimeout', { short: 'sk', long: ['signal', 'kill-after'], operands: 1 }],
  ['nohup', {}],
  ['nice', { short: 'n' }],
  ['ionice', { short: 'cn' }],
  ['stdbuf', { short: 'ioe' }],
  ['setsid', {}],
  ['command', {}],
  ['builtin', {}],
  ['exec', { short: 'a' }],
])

function behindWrapper(words: readonly Word[], start: number, wrapper: Wrapper): number {
  let at = start
  let operands = wrapper.operands ?? 0
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? ''
    if (/^-./.test(text)) at += takesNextWord(text, wrapper) ? 1 : 0
    else if (/^[A-Za-z_]\w*=/.test(text)) continue
    else if (operands-- <= 0) break
  }
  return at
}

function takesNextWord(option: string, { short, long }: OptionRule): boolean {
  if (option.startsWith('--')) return long?.includes(option.slice(2)) ?? false
  return short?.includes(option.at(-1) ?? '') ?? false
}

function commandName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1)
}
