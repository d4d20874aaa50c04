import { type LaunchTarget, type ShellRun, type ShellWord, textWord } from './shell-word.ts'

/** The command that git runs because of a setting, `NAME=VALUE` as in `git -c`; undefined for other settings. */
function settingCommand(setting: string): string | undefined {
  const [, alias] = /^alias\.[^=\s]+=(.*)$/is.exec(setting) ?? []
  if (alias !== undefined) return alias.startsWith('!') ? alias.slice(1) : `git ${alias}`
  const [, program] = COMMAND_SETTING.exec(setting) ?? []
  return program?.replace(/^!/, '')
}

/** Whether git may run the value of the setting of this name. */
function isCommandSetting(name: string): boolean {
  return settingCommand(`${name}=!`) !== undefined
}

/** Whether a variable gives git a setting whose value it may run. `value` is undefined if the script does not show it. */
export function setsCommand(variable: string, value: string | undefined, written: string): boolean {
  if (variable === 'GIT_CONFIG_PARAMETERS') return value !== ''
  if (!/^GIT_CONFIG_KEY_\d+$/.test(variable)) return false
  // The names of these settings contain addresses, often with a token from a variable.
  return value === undefined ? !/^"?(?:url|http)\./.test(written) : isCommandSetting(value)
}

const COMMAND_SETTING = new RegExp(
  `^(?:${[
    String.raw`core\.(?:editor|pager|askpass|fsmonitor|gitproxy)`,
    String.raw`pager\.[\w-]+|sequence\.editor|diff\.external|interactive\.difffilter|imap\.tunnel`,
    String.raw`[^=]+\.(?:textconv|helper|clean|smudge|process|driver)`,
    String.raw`[^=]+\.(?:program|packobjectshook|uploadpack|receivepack)`,
    // `core.sshCommand`, `gpg.ssh.defaultKeyCommand`, `sendemail.toCmd` and similar settings.
    String.raw`[^=]+\.[a-z]*(?:command|cmd)`,
    String.raw`submodule\.[^=]+\.update(?==!)`,
  ].join('|')})=(.+)`,
  'is',
)

/** The index of git's subcommand among the words after `git`. Global options come before it, some with a value. */
export function gitCommandAt(words: readonly ShellWord[]): number {
  let at = 0
  for (; words[at]?.text?.startsWith('-'); at++) if (TAKES_VALUE.test(words[at]?.text ?? '')) at++
  return at
}

const TAKES_VALUE = /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|config-env|super-prefix|attr-source))$/

/** The commands that git runs because of its arguments: aliases, and programs in settings, options and addresses. */
export function gitRuns(run: ShellRun, words: readonly ShellWord[]): LaunchTarget[] {
  const command = gitCommandAt(words)
  return words.flatMap((_, at) => [
    ...settingRuns(words, at, command),
    ...optionRuns(words, at, command),
    ...addressRuns(run, words[at]?.text ?? ''),
  ])
}

function settingRuns(words: readonly ShellWord[], at: number, command: number): LaunchTarget[] {
  const [, fromVariable] = /^--config-env=([^=]+)=/.exec(optionAt(words, at)) ?? []
  if (fromVariable !== undefined)
    return isCommandSetting(fromVariable) ? [{ kind: 'doubt', text: words[at]?.source ?? '' }] : []
  const text = settingCommand(givenSetting(words, at, command) ?? '')
  return text === undefined ? [] : [{ kind: 'script', text }]
}

/** `git -c NAME=VALUE`, `git config NAME VALUE`, and the option of `git clone`, which may have its value attached. */
function givenSetting(words: readonly ShellWord[], at: number, command: number): string | undefined {
  const [before, text = '', next] = [words[at - 1]?.text, words[at]?.text, words[at + 1]?.text]
  const isClone = words[command]?.text === 'clone'
  const [, attached] = (isClone ? /^(?:-c|--config=)(.+)$/s.exec(text) : undefined) ?? []
  if (attached !== undefined) return attached
  if (before === '-c' || (isClone && before === '--config') || /^alias\.[^=\s]+=/i.test(text)) return text
  const isKept = at > command && words[command]?.text === 'config'
  return next !== undefined && (isKept || /^alias\.[^=\s]+$/i.test(text)) ? `${text}=${next}` : undefined
}

/** A long option with its value, whether attached with `=` or in the next word. */
function optionAt(words: readonly ShellWord[], at: number): string {
  const text = words[at]?.text ?? ''
  return text.startsWith('--') && !text.includes('=') ? `${text}=${words[at + 1]?.text ?? ''}` : text
}

/** The programs in options like `git fetch --upload-pack=PROGRAM`. */
function optionRuns(words: readonly ShellWord[], at: number, command: number): LaunchTarget[] {
  const text = words[at]?.text ?? ''
  const name = words[command]?.text ?? ''
  const [isGiven, attached = ''] = LONG_OPTION.exec(text) ?? SHORT_OPTIONS.get(name)?.exec(text) ?? []
  if (isGiven === undefined || at < command) return []
  if (attached !== '') return [{ kind: 'script', text: attached }]
  const value = words[at + 1]
  if (value === undefined) return []
  return [value.text === undefined ? { kind: 'doubt', text: value.source } : { kind: 'script', text: value.text }]
}

/** Git also accepts the beginnings of these names. The pager of `git grep` can only be attached. */
const LONG_OPTION =
  /^--(?:(?:upl[a-z-]*|rece[a-z-]*|exec|(?:to|cc|header|sendmail)-cmd)(?:=|$)|open[a-z-]*=(?=.))(.*)$/s
const SHORT_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['clone', /^-[lnqsv46]*u(.*)$/s],
  ['grep', /^-[a-zA-Z]*?O(.+)$/s],
])

/** The command in an address like `ext::COMMAND`. Blanks separate its words, and `%` escapes a character. */
function addressRuns(run: ShellRun, text: string): LaunchTarget[] {
  const [, command = ''] = /^(?:[^\s:]*=)?ext::(.+)$/s.exec(text) ?? []
  const words = [...command.matchAll(/(?:%.|[^ %])+/gs)].map(([word]) => textWord(word.replace(/%(.)/gs, '$1')))
  return words.length === 0 ? [] : [{ kind: 'run', run: { ...run, words } }]
}
