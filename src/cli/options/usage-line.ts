/** Commander's message on one line, with what to do. */
export function usageLine(text: string): string {
  const line = text.trim().replace(/^error: /, '')
  const meant = line.replace(/\n\(Did you mean (.+)\?\)$/, ', did you mean $1?')
  return meant === line ? `${line.replaceAll('\n', ' ').replace(/\.$/, '')}; see pith --help` : meant
}
