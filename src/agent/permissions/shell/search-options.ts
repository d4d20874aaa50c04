import { type GivenWords, isGiven, type OptionTable } from './given-options.ts'
import type { ShellWord } from './shell-word.ts'

/** The options of a search, with those whose value is a file that it reads, and those that give the pattern. */
export type SearchTable = OptionTable & { readonly files: readonly string[]; readonly patterns: readonly string[] }

const names = (text: string): readonly string[] => text.split(' ')

const GREP: SearchTable = {
  letters: 'efABCmdDX',
  names: names(
    'regexp file after-context before-context context max-count include exclude exclude-dir exclude-from directories ' +
      'devices label binary-files group-separator',
  ),
  files: ['f', 'file', 'exclude-from'],
  patterns: ['e', 'f', 'regexp', 'file'],
}
const RIPGREP: SearchTable = {
  letters: 'efABCmgtTjMrEd',
  names: names(
    'regexp file after-context before-context context max-count max-columns max-depth maxdepth max-filesize glob iglob ' +
      'type type-not type-add type-clear threads replace encoding sort sortr ignore-file color colors engine pre ' +
      'pre-glob context-separator field-context-separator field-match-separator path-separator dfa-size-limit ' +
      'regex-size-limit hostname-bin hyperlink-format generate',
  ),
  files: ['f', 'file', 'ignore-file', 'pre', 'hostname-bin'],
  patterns: ['e', 'f', 'regexp', 'file'],
}
const AG: SearchTable = {
  letters: 'GgmpW',
  names: names(
    'file-search-regex max-count ignore ignore-dir depth path-to-ignore width workers pager color-match color-path ' +
      'color-line-number',
  ),
  numbers: ['A', 'B', 'C', 'after', 'before', 'context'],
  files: ['p', 'path-to-ignore', 'pager'],
  patterns: ['g'],
}

/** Commands that search in files and below folders. */
export const SEARCHES: ReadonlyMap<string, SearchTable> = new Map([
  ['grep', GREP],
  ['egrep', GREP],
  ['fgrep', GREP],
  ['zgrep', GREP],
  ['rg', RIPGREP],
  ['ag', AG],
])

/** The files and folders that a search names: the operands behind the pattern, unless an option gives that. */
export function searchedWords(
  { options, operands, isSure }: GivenWords,
  { patterns }: SearchTable,
): readonly ShellWord[] {
  return !isSure || isGiven(options, ...patterns) ? operands : operands.slice(1)
}
