import { ripgrepPath } from './ripgrep-path.ts'

/** The most memory that ripgrep may ask for, in kilobytes. Without threads it needs a small part of that. */
const MOST_KILOBYTES = 4_000_000

const COMMON = ['--no-config', '--color=never', '--no-ignore-messages', '--sort=path']

/**
 * How ripgrep is started. It reads every `.gitignore` and `.ignore` it meets, whatever they are: a link to a device would
 * fill the memory, so the shell sets a limit where the system has one. Its complaints about them would quote their lines.
 */
export function boundedRipgrep(args: readonly string[]): { file: string; args: readonly string[] } {
  const ripgrep = ripgrepPath()
  const all = [...COMMON, ...args]
  if (process.platform === 'win32') return { file: ripgrep, args: all }
  const script = `ulimit -v ${MOST_KILOBYTES} 2>/dev/null; exec "$0" "$@"`
  return { file: '/bin/sh', args: ['-c', script, ripgrep, ...all] }
}
