/** The command that git runs because of a setting, `NAME=VALUE` as in `git -c`; undefined for other settings. */
export function settingCommand(setting: string): string | undefined {
  const [, alias] = /^alias\.[^=\s]+=(.*)$/is.exec(setting) ?? []
  if (alias !== undefined) return alias.startsWith('!') ? alias.slice(1) : `git ${alias}`
  const [, program] = COMMAND_SETTING.exec(setting) ?? []
  return program?.replace(/^!/, '')
}

/** Whether git may run the value of the setting of this name. */
export function isCommandSetting(name: string): boolean {
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
