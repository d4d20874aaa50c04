/** A word of a shell's command line, quoted if it must be. The user's home (`~/`) stays outside of the quotes. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./~-]+$/.test(word)) return word
  return word.startsWith('~/') ? `~/${quotedWord(word.slice(2))}` : quotedWord(word)
}

/** A word that a shell takes as it is. */
export function quotedWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
