import { relative, resolve } from 'node:path'
import { isInside } from '../../../config/read/read-unasked.ts'
import type { Word } from '../../../engine/extract/shell/shell-lexer.ts'
import { shellSteps, withoutWrappers } from '../../../engine/extract/shell/shell-steps.ts'
import { isProtected } from '../../protected-paths.ts'
import { fromHome } from './literal-line.ts'

type Place = {
  readonly workspace: string
  readonly home: string
  readonly wall?: { readonly hasNetwork?: boolean }
}

/**
 * Whether the text of a command shows that it needs the network, writes outside of the workspace, or changes protected files.
 * It decides only whether to ask first: the sandbox stops such a command even if its text does not show it.
 */
export function reachesOut(text: string, { workspace, home, wall }: Place): boolean {
  if (text.length > MOST_CHARACTERS) return true
  let folder = workspace
  const folders: string[] = []
  const steps = shellSteps(text)
  if (steps.length > MOST_STEPS) return true
  for (const step of steps) {
    if (step.type === 'enter') folders.push(folder)
    else if (step.type === 'leave') folder = folders.pop() ?? folder
    else {
      const isFar = (word: Word) => leaves(word.text, folder, { workspace, home })
      const opened = step.redirects.flatMap(({ operator, target }) => (operator.includes('>') ? [target] : []))
      if (opened.some((word) => isFar(word) && !isTemporary(word.text))) return true
      const command = withoutWrappers(step.words)
      if (command === undefined) continue
      const { name, rest } = command
      if (name === 'cd' && rest[0]?.open === false) folder = resolve(folder, fromHome(rest[0].text, home))
      if (folder.length > LONGEST_FOLDER) return true
      if (DESTROYS.has(name) && rest.some((word) => !word.text.startsWith('-') && isFar(word))) return true
      if (WRITES.has(name) && rest.slice(-1).some((word) => isFar(word) && !isTemporary(word.text))) return true
      if (CHANGES_SYSTEM.has(name)) return true
      if (wall?.hasNetwork !== false && needsNetwork(name, rest)) return true
    }
  }
  return false
}

/** Nobody writes more by hand, and reading must not take long. */
const MOST_CHARACTERS = 20_000
const MOST_STEPS = 500
const LONGEST_FOLDER = 1_000
const set = (names: string): ReadonlySet<string> => new Set(names.split(' '))

const DESTROYS = set('rm rmdir mv chmod chown truncate shred unlink dd')
const WRITES = set('cp ln mkdir touch tee install rsync')
const CHANGES_SYSTEM = set(
  'apt apt-get yum dnf apk pacman brew snap systemctl service launchctl mount umount useradd userdel passwd crontab reboot shutdown mkfs fdisk iptables sysctl',
)
const NETWORK = set(
  'ssh scp sftp ftp nc telnet gh glab docker podman kubectl helm aws gcloud az terraform heroku vercel flyctl ansible wget curl',
)
const NETWORK_COMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', set('push fetch pull clone ls-remote send-email')],
  ['npm', set('install i add ci publish update unpublish login')],
  ['pnpm', set('install i add publish update')],
  ['yarn', set('install add publish upgrade')],
  ...['pip', 'pip3'].map((name) => [name, set('install download')] as const),
  ['uv', set('sync add pip')],
  ['cargo', set('install publish add fetch update')],
  ['go', set('get install')],
  ['gem', set('install push')],
])

function needsNetwork(name: string, rest: readonly Word[]): boolean {
  const texts = rest.map(({ text }) => text)
  if (NETWORK.has(name))
    return !texts.some((text) => LOCAL.test(text)) && !texts.every((text) => /^-(?:V|-version|-help)$/.test(text))
  const command = texts.find((text, i) => !text.startsWith('-') && !/^-[Cc]$/.test(texts[i - 1] ?? ''))
  return NETWORK_COMMANDS.get(name)?.has(command ?? '') === true
}

const LOCAL = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?:[:/]|$)/

/** A path outside of the workspace, or one that the sandbox keeps. A word whose start is not known counts as inside. */
function leaves(text: string, folder: string, { workspace, home }: { workspace: string; home: string }): boolean {
  if (/^(?:\$|\d+$|&)/.test(text) && !/^\$$/.test(text)) return text.startsWith('$HOME')
  const path = resolve(folder, fromHome(text, home))
  if (/^\/dev\/(?:null|stdout|stderr|tty)$/.test(path)) return false
  return !isInside(workspace, path) || isProtected(relative(workspace, path))
}

/** The sandbox lets commands write to temporary folders. Only what removes something there is asked about. */
function isTemporary(text: string): boolean {
  return /^\/(?:tmp|var\/tmp)\//.test(text) && !text.includes('..')
}
