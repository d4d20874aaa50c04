import type { Rule, Rules } from './rule.ts'

/** Rules with `~`, `$HOME` or `${HOME}` at the start of a path as the home folder, as a shell reads them. */
export function homeRules({ always, never }: Rules, home: string): Rules {
  const full = (rule: Rule) => withHome(rule, home)
  return { always: always.map(full), never: never.map(full) }
}

function withHome(rule: Rule, home: string): Rule {
  if (rule.kind !== 'read' && rule.kind !== 'edit') return rule
  return { ...rule, pattern: inHome(rule.pattern, home) }
}

/** A path, or a word of a command, with `~`, `$HOME` or `${HOME}` at its start as the home folder. */
export function inHome(path: string, home: string): string {
  return path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home)
}
