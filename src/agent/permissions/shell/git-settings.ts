/** The command that a setting of git makes it run, `NAME=VALUE` as behind `git -c`; undefined for other settings. */
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

/** Whether a variable gives git a setting that it may run. The value is undefined where the script does not say it. */
export function setsCommand(variable: string, value: string | undefined, written: string): boolean {
  if (variable === 'GIT_CONFIG_PARAMETERS') return value !== ''
  if (!/^GIT_CONFIG_KEY_\d+$/.test(variable)) return false
  // Names of these settings hold addresses, often with a token from a variable.
  return value === undefined ? !/^"?(?:url|http)\./.test(written) : isCommandSetting(value)
}

const COMMAND_SETTING = new RegExp(
  `^(?:${[
    String.raw`core\.(?:editor|pager|askpass|fsmonitor|gitproxy)`,
    String.raw`pager\.[\w-]+|sequence\.editor|diff\.external|interactive\.difffilter|imap\.tunnel`,
    String.raw`[^=]+\.(?:textconv|helper|clean|smudge|process|driver)`,
    String.raw`[^=]+\.(?:program|packobjectshook|uploadpack|receivepack)`,
    // `core.sshCommand`, `gpg.ssh.defaultKeyCommand`, `sendemail.toCmd` and their like.
    String.raw`[^=]+\.[a-z]*(?:command|cmd)`,
    String.raw`submodule\.[^=]+\.update(?==!)`,
  ].join('|')})=(.+)`,
  'is',
)
