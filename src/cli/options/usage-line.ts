/** Commander's message on one line, with what to do. `command` is the one that the user called, such as `pith compact`. */
export function usageLine(text: string, command: string): string {
  const line = text.trim().replace(/^error: /, '')
  const meant = line.replace(/\n\(Did you mean (.+)\?\)$/, ', did you mean $1?')
  return meant === line ? `${line.replaceAll('\n', ' ').replace(/\.$/, '')}; see ${command} --help` : meant
}
