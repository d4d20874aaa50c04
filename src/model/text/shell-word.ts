/** A word of a shell's command line, quoted if necessary. The user's home (`~/`) stays outside the quotes. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./~-]+$/.test(word)) return word
  return word.startsWith('~/') ? `~/${quotedWord(word.slice(2))}` : quotedWord(word)
}

/** A word in quotes, which a shell does not change. */
export function quotedWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
