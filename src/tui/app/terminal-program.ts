import { type SpawnOptions, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shellWord } from '../../model/text.ts'

/** Runs a command line with the terminal of the process, and returns its exit code. The screen must be stopped meanwhile. */
export function runInTerminal(command: string, place: Pick<SpawnOptions, 'cwd' | 'env'>): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, { ...place, shell: 'bash', stdio: 'inherit' })
    child.once('error', () => resolve(127))
    child.once('exit', (code) => resolve(code ?? 130))
  })
}

const PROGRAMS = [
  'vim?|nvim|view|nano|pico|micro|hx|helix|joe|emacs|kak|ed',
  'less|more|most|man|info|top|htop|btop|atop|watch|tig|lazygit|gitui|mc|ranger|nnn|fzf|tmux|screen',
  'ssh|mosh|telnet|ftp|sftp|sudo|su|passwd|psql|mysql|redis-cli|gdb|lldb',
].join('|')
/** Programs that read from the terminal if they have no arguments. */
const SHELLS = 'bash|zsh|fish|sh|python3?|node|irb|sqlite3|bc'

const INTERACTIVE = [
  new RegExp(`^(?:${PROGRAMS})(?:\\s|$)`),
  new RegExp(`^(?:${SHELLS})$`),
  /^git\s+commit(?!.*\s(?:-\w*[mFC]|--message|--file|--no-edit|--dry-run|--fixup|--reuse-message))/,
  /^git\s+(?:rebase|add|checkout|restore|reset|stash)\b.*\s(?:-[ip]\b|--patch|--interactive)/,
]

/**
 * True for a command that needs the terminal, such as an editor or a pager. Only a convenience: the user can give any command
 * the terminal with `!!`.
 */
export function wantsTerminal(command: string, { VISUAL = '', EDITOR = '' }: NodeJS.ProcessEnv): boolean {
  const line = command.trim()
  // In a pipe or with redirected output, even these programs print.
  if (/[|>]/.test(line)) return false
  const isEditor = [VISUAL, EDITOR].some((editor) => editor !== '' && `${line} `.startsWith(`${editor} `))
  return isEditor || INTERACTIVE.some((each) => each.test(line.replace(/^(?:\w+=\S*\s+)+/, '')))
}

/** The user's editor. */
export function editorOf({ VISUAL = '', EDITOR = '' }: NodeJS.ProcessEnv): string {
  return VISUAL || EDITOR || 'vi'
}

/** Lets the user change a text in a file with a program. Undefined if the program failed. */
export async function editedInFile(text: string, run: (file: string) => Promise<number>): Promise<string | undefined> {
  // Only the user can read the folder.
  const folder = mkdtempSync(join(tmpdir(), 'pith-'))
  const file = join(folder, 'message.md')
  try {
    writeFileSync(file, text)
    return (await run(shellWord(file))) === 0 ? readFileSync(file, 'utf8').replace(/\n$/, '') : undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
