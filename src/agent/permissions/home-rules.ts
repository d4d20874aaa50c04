import type { Rule, Rules } from './rule.ts'

/** Rules in which `~`, `$HOME` or `${HOME}` at the start of a path is replaced by the home folder, as in a shell. */
export function homeRules({ always, never }: Rules, home: string): Rules {
  const full = (rule: Rule) => withHome(rule, home)
  return { always: always.map(full), never: never.map(full) }
}

function withHome(rule: Rule, home: string): Rule {
  if (rule.kind !== 'read' && rule.kind !== 'edit') return rule
  return { ...rule, pattern: inHome(rule.pattern, home) }
}

/** Replaces `~`, `$HOME` or `${HOME}` at the start of a path or of a word by the home folder. */
export function inHome(path: string, home: string): string {
  return path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home)
}
