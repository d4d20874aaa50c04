import type { CommitFact } from '../../../model/types.ts'
import type { RunCommand } from './git-facts.ts'

/** The commits that a command made: those that git reports, or else one with the message in the command. */
export function commitsIn({ command, output, ok }: RunCommand): Omit<CommitFact, 'seq'>[] {
  const amended = /\bcommit\b[^\n]{0,200}\s--amend\b/.test(command) ? { amended: true as const } : {}
  const reported = [...output.slice(0, MOST_OUTPUT).matchAll(REPORTED)].slice(0, MOST_COMMITS)
  if (reported.length > 0) {
    return reported.map(([, branch = '', hash = '', subject = '']) => ({
      hash,
      branch: branch === 'detached' ? 'HEAD' : branch,
      subject: subject.trim(),
      ...amended,
    }))
  }
  if (ok === false || NOT_MADE.test(output) || !/\bgit\b[^\n]{0,200}\bcommit\b/.test(command)) return []
  const subject = messageIn(command)
  if (subject === undefined) return []
  const hash = loggedHash(output, subject)
  return [{ ...(hash === undefined ? {} : { hash }), subject, ...amended }]
}

const MOST_OUTPUT = 40_000
const MOST_COMMITS = 20
/** `[main 1a2b3c4] Subject`, `[topic (root-commit) 1a2b3c4] Subject`, `[detached HEAD 1a2b3c4] Subject` */
const REPORTED = /^\s{0,8}\[([^\]\s]{1,100})(?: \([\w-]{1,20}\)| HEAD)? ([0-9a-f]{7,40})\] (.{1,300})$/gm
const NOT_MADE =
  /\bnothing to commit\b|\bno changes added to commit\b|^(?:error|fatal): |--dry-run|\bnothing added to commit\b|\bhook (?:failed|exited)|\bAborting commit\b/m

/** The first line of the message: `-m 'x'`, `-m "$(cat <<'EOF' …`, `-F - <<'EOF' …`. */
function messageIn(command: string): string | undefined {
  const at = command.search(/\bcommit\b/)
  const given = at === -1 ? '' : command.slice(at, at + 4_000)
  const [, line] =
    /(?:-[a-z]{0,3}m|--message)[ =]"?\$\(cat <<-?\s?['"\\]?\w+['"]?\s*\n\s*([^\n]{1,300})/.exec(given) ??
    /(?:-[a-z]{0,3}F|--file)[ =]?-\s[^\n]{0,200}?<<-?\s?['"\\]?\w+['"]?[^\n]*\n\s*([^\n]{1,300})/.exec(given) ??
    /(?:-[a-z]{0,3}m|--message)[ =]?"([^"\n]{1,300})/.exec(given) ??
    /(?:-[a-z]{0,3}m|--message)[ =]?'([^'\n]{1,300})/.exec(given) ??
    []
  return line?.trim() || undefined
}

/** `git log --oneline -1` in the same command shows the hash that `git commit -q` does not print. */
function loggedHash(output: string, subject: string): string | undefined {
  for (const [, hash, text = ''] of output
    .slice(-4_000)
    .matchAll(/^([0-9a-f]{7,40}) (?:\([^)\n]{1,200}\) )?(.{1,300})$/gm)) {
    if (text.startsWith(subject.slice(0, 60))) return hash
  }
  return undefined
}
