import type { YAMLParseError } from 'yaml'

/** What is wrong with a file that is no YAML, and what to do; the parser's words where it says so itself. */
export function yamlProblem({ code, message }: YAMLParseError): string {
  const [, missing] = /end with a (\S)/.exec(message) ?? []
  if (missing !== undefined) return `\`${missing}\` is missing`
  const [line = ''] = message.split('\n')
  return PROBLEMS[code] ?? line.replace(/ at line \d+, column \d+:?$/, '').replace(/;.*$/, '')
}

const PROBLEMS: Partial<Record<YAMLParseError['code'], string>> = {
  BAD_SCALAR_START: 'a value that begins with this character needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a value with a colon in it needs quotes, and the keys of one table the same indentation',
  DUPLICATE_KEY: 'this key is set twice: keep one',
  MISSING_CHAR: 'a closing quote, or a comma between two values, is missing',
  MULTILINE_IMPLICIT_KEY: 'expected `key: value`',
  MULTIPLE_DOCS: 'the settings of a file are one table: take out the `---`',
  TAB_AS_INDENT: 'indent with spaces, not with tabs',
}
