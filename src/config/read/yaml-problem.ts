import type { YAMLParseError } from 'yaml'

/** What is wrong with a file that is no YAML, and what to do. The parser's own words may quote a secret of the file. */
export function yamlProblem({ code, message }: YAMLParseError): string {
  if (code === 'BAD_INDENT' || code === 'MISSING_CHAR') {
    const [, bracket] = /^Flow .* end with a ([\]}])/.exec(message) ?? []
    if (bracket !== undefined) return `\`${bracket}\` is missing`
  }
  return PROBLEMS[code] ?? 'this is no YAML'
}

/** What to do about an alias that names no anchor: it was rarely meant as one. */
export const NEEDS_QUOTES = 'a value that begins with `*` or `&` needs quotes'

const PROBLEMS: Partial<Record<YAMLParseError['code'], string>> = {
  ALIAS_PROPS: NEEDS_QUOTES,
  BAD_ALIAS: NEEDS_QUOTES,
  BAD_DQ_ESCAPE: 'between double quotes `\\` has a meaning of its own: use single quotes',
  BAD_INDENT: 'the keys of one table need the same indentation',
  BAD_SCALAR_START: 'a value that begins with this character needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a value with a colon in it needs quotes, and the keys of one table the same indentation',
  DUPLICATE_KEY: 'this key is set twice: keep one',
  MISSING_CHAR: 'a closing quote, or a comma between two values, is missing',
  MULTILINE_IMPLICIT_KEY: 'expected `key: value`',
  MULTIPLE_DOCS: 'the settings of a file are one table: take out the `---`',
  TAB_AS_INDENT: 'indent with spaces, not with tabs',
  UNEXPECTED_TOKEN: 'nothing can stand here: there is a comma or bracket too many, or a text needs quotes',
}
