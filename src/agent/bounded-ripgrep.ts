/** The most memory that ripgrep may ask for, in kilobytes. Without threads it needs a small part of that. */
const MOST_KILOBYTES = 4_000_000

const COMMON = ['--no-config', '--color=never', '--no-ignore-messages', '--sort=path']

/**
 * How ripgrep is started. It reads every `.gitignore` and `.ignore` it meets, whatever they are: a link to a device would
 * fill the memory, so the shell sets a limit where the system has one. Its complaints about them would quote their lines.
 */
export async function boundedRipgrep(args: readonly string[]): Promise<{ file: string; args: readonly string[] }> {
  // Only here: where its binary is missing, everything else works all the same.
  const { rgPath } = await import('@vscode/ripgrep')
  const all = [...COMMON, ...args]
  if (process.platform === 'win32') return { file: rgPath, args: all }
  const script = `ulimit -v ${MOST_KILOBYTES} 2>/dev/null; exec "$0" "$@"`
  return { file: '/bin/sh', args: ['-c', script, rgPath, ...all] }
}
