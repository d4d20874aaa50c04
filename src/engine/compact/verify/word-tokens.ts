/** Where a token stands: alone between backticks, among other code, or in a sentence. */
export type Place = 'alone' | 'code' | 'prose'

/** The words of a stretch of text that could be names, without the punctuation and the Markdown around them. */
export function tokensOf(text: string): string[] {
  const tokens: string[] = []
  for (const [run] of text.matchAll(TOKEN)) {
    const token = run.length > MAX_LENGTH ? '' : trimmed(run)
    if (/[\p{L}\p{N}]/u.test(token)) tokens.push(token)
  }
  return tokens
}

const MAX_LENGTH = 1_000

/**
 * No white space, quotes, arrows or brackets; but a list in braces (`src/{a,b}.ts`), a bracketed part of a path
 * (`app/[id]`), an empty call (`run()`) and a placeholder after a separator (`src/<name>`) belong to the word.
 */
const TOKEN =
  /(?:\{[^{}\s"'`]{1,200}\}|\[[^[\]\s"'`]{1,60}\]|\(\)|(?<=^|[\s/_.:=@-])<[a-z][^<>\n]{0,40}>|[^\s,;|"“”„«»‘’'`→←⇒⇐↔—–•·…!()<>{}[\]])+/gu

function trimmed(run: string): string {
  const start = run.search(/[^*.:?+=&_\]}-]/)
  if (start === -1) return ''
  // A leading dot, dash or underscore may be part of the name (.env, --flag, _private), a bold mark is not.
  const lead = /[._-]+$/.exec(run.slice(0, start))?.[0] ?? ''
  const token = run.slice(start - lead.length).replace(/[*.:?+=&\\]+$/, '')
  return /^\.{3,}/.test(token) ? token.replace(/^\.+/, '') : token
}
