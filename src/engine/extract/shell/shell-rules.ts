import type { FileFact } from '../../../model/types.ts'
import { baseName, looksLikeFile } from '../calls/paths.ts'
import type { Word } from './shell-lexer.ts'
import { type Arguments, type OptionRule, parseArguments } from './shell-steps.ts'

/** A word that names a file, and what the command does to it. A move also names its other end. */
export type FileUse = {
  word: Word
  access: 'read' | 'modified'
  change?: 'deleted' | 'reverted'
  /** The side of a merge that was taken. */
  side?: FileFact['side']
  to?: Word
  from?: Word
}
export type ShellRule = OptionRule & { uses: (given: Arguments) => FileUse[] }

/** The files that a command with these arguments names; none for a command that we do not know. */
export function fileUses(name: string, words: readonly Word[]): FileUse[] {
  const rule = RULES.get(name)
  if (rule === undefined) return []
  return rule.uses(parseArguments(name === 'sed' ? withoutSuffixWord(words) : words, rule))
}

const read = (words: readonly Word[]): FileUse[] => words.map((word) => ({ word, access: 'read' }))
const modified = (words: readonly Word[]): FileUse[] => words.map((word) => ({ word, access: 'modified' }))
const deleted = (words: readonly Word[]): FileUse[] =>
  words.map((word) => ({ word, access: 'modified', change: 'deleted' }))
const reverted = (words: readonly Word[]): FileUse[] =>
  words.map((word) => ({ word, access: 'modified', change: 'reverted' }))
const readAll = ({ operands }: Arguments) => read(operands)
/** Skips words such as `+5` and `+G`, which set the start line. */
const readUnlessPlus = ({ operands }: Arguments) => read(operands.filter(({ text }) => !text.startsWith('+')))
const modifyAll = ({ operands }: Arguments) => modified(operands)
const deleteAll = ({ operands }: Arguments) => deleted(operands)

/** The operands after a pattern, which comes first unless one of these options has it. */
const afterPattern = ({ operands, options }: Arguments, ...givers: string[]): readonly Word[] =>
  givers.some((giver) => options.has(giver)) ? operands : operands.slice(1)

const search = (given: Arguments): FileUse[] => {
  const words = afterPattern(given, 'e', 'f', 'regexp', 'file')
  const folders = given.options.has('r') || given.options.has('R') || given.options.has('recursive')
  return read(folders ? words.filter((word) => looksLikeFile(word.text)) : words)
}

const ripgrep = (given: Arguments): FileUse[] => {
  if (given.options.has('files')) return []
  return read(afterPattern(given, 'e', 'f', 'regexp', 'file').filter((word) => looksLikeFile(word.text)))
}

const sed = (given: Arguments): FileUse[] => {
  const files = afterPattern(given, 'e', 'f', 'expression', 'file')
  return given.options.has('i') || given.options.has('in-place') ? modified(files) : read(files)
}

const awk = (given: Arguments): FileUse[] => {
  const files = afterPattern(given, 'f', 'file').filter((word) => !/^\w+=/.test(word.text))
  return given.options.get('i')?.some((word) => word.text === 'inplace') ? modified(files) : read(files)
}

const perl = ({ operands, options }: Arguments): FileUse[] => {
  if (!options.has('e') && !options.has('E')) return []
  if (options.has('i')) return modified(operands)
  return options.has('n') || options.has('p') ? read(operands) : []
}

const jq = (given: Arguments): FileUse[] => {
  if (given.options.has('args') || given.options.has('jsonargs')) return []
  const pairs = ['arg', 'argjson', 'slurpfile', 'rawfile'].flatMap((name) => given.options.get(name) ?? [])
  // The second word of `--arg name value` counts as an operand: the real operands start after those.
  return read(afterPattern(given, 'f', 'from-file').slice(pairs.length))
}

/** The files at the target of `cp a b`, `mv a b c folder`, `cp -t folder a`. */
const targets = ({ operands, options }: Arguments): Word[] => {
  const folder = options.get('t')?.[0] ?? options.get('target-directory')?.[0]
  const last = folder ?? operands.at(-1)
  const sources = folder === undefined ? operands.slice(0, -1) : operands
  if (last === undefined || sources.length === 0) return []
  if (folder === undefined && sources.length === 1 && !/(?:^|\/)\.{0,2}$/.test(last.text)) return [last]
  return sources.map((source) => ({
    type: 'word',
    text: `${last.text}/${baseName(source.text)}`,
    open: last.open || source.open,
  }))
}

const copy = (given: Arguments) => modified(targets(given))
const move = (given: Arguments) => {
  const inFolder = given.options.has('t') || given.options.has('target-directory')
  const sources = inFolder ? given.operands : given.operands.slice(0, -1)
  const ends = targets(given)
  return [
    ...deleted(sources).map((use, i) => ({ ...use, to: ends[i] })),
    ...modified(ends).map((use, i) => ({ ...use, from: sources[i] })),
  ]
}
const link = (given: Arguments) => (given.operands.length < 2 ? [] : modified(targets(given)))
const install = (given: Arguments) => (given.options.has('d') ? modifyAll(given) : copy(given))

const dd = ({ operands }: Arguments): FileUse[] =>
  operands.flatMap((word): FileUse[] => {
    const [, side, text] = /^([io])f=(.+)$/s.exec(word.text) ?? []
    if (text === undefined) return []
    return [{ word: { ...word, text }, access: side === 'o' ? 'modified' : 'read' }]
  })

const patch = ({ operands, options }: Arguments): FileUse[] => [
  ...modified(operands.slice(0, 1)),
  ...read([...(options.get('i') ?? []), ...(options.get('input') ?? []), ...operands.slice(1, 2)]),
]

const checkout = (given: Arguments): FileUse[] => {
  const { operands, options } = given
  if (options.has('b') || options.has('B')) return []
  const [first] = operands
  // `git checkout main a.ts` takes the file of another branch.
  const source = first !== undefined && !isPathspec(first.text) ? first : undefined
  return takenFromGit(
    operands.filter((word) => isPathspec(word.text)),
    given,
    source,
  )
}

/** Without `--`, a word may name a branch or a file: a version number is not a file, and no branch begins with a dot. */
const isPathspec = (text: string) => text.startsWith('.') || (looksLikeFile(text) && !/^v?\d/.test(baseName(text)))

const restore = (given: Arguments): FileUse[] => {
  const { operands, options } = given
  const staged = options.has('staged') || options.has('S')
  if (staged && !options.has('worktree') && !options.has('W')) return []
  const [source] = options.get('source') ?? options.get('s') ?? []
  return takenFromGit(operands, given, source)
}

/** Files that get a text that git has: their last one, that of another commit, or one side of a merge. */
const takenFromGit = (files: readonly Word[], { options }: Arguments, source: Word | undefined): FileUse[] => {
  const side = SIDES.find((name) => options.has(name))
  if (side !== undefined) return modified(files).map((use) => ({ ...use, side }))
  // `--merge` writes the conflict again, and `--patch` takes back only a part.
  const isPart = ['merge', 'm', 'conflict', 'patch', 'p'].some((option) => options.has(option))
  return isPart || (source !== undefined && !isHead(source)) ? modified(files) : reverted(files)
}

const SIDES = ['ours', 'theirs'] as const

/** The paths after `--`: reset to the text of HEAD, or to that of another commit, which the word before `--` names. */
const checkoutPaths = (given: Arguments): FileUse[] =>
  takenFromGit(given.operands, given, given.options.get(SOURCE)?.[0])

/** The option name under which `git checkout REVISION -- paths` gets its revision. */
export const SOURCE = 'revision'

const isHead = ({ text }: Word) => text === 'HEAD' || text === '@'

const hardReset = ({ options }: Arguments): FileUse[] =>
  options.has('hard') ? reverted([{ type: 'word', text: '.', open: false }]) : []

const remove = (given: Arguments) => (given.options.has('cached') ? [] : deleteAll(given))

const GREP: ShellRule = {
  short: 'efABCmdD',
  long: 'regexp file after-context before-context context max-count include exclude exclude-dir'.split(' '),
  uses: search,
}
const LINES: ShellRule = { short: 'nc', long: ['lines', 'bytes'], uses: readAll }
const VIEWER: ShellRule = { short: 'px', uses: readUnlessPlus }

const RULES: ReadonlyMap<string, ShellRule> = new Map<string, ShellRule>([
  ['cat', { uses: readAll }],
  ['tac', { uses: readAll }],
  ['head', LINES],
  ['tail', { ...LINES, short: 'ncs', uses: readUnlessPlus }],
  ['less', VIEWER],
  ['more', VIEWER],
  ['bat', { short: 'rlHm', long: ['line-range', 'language', 'style', 'theme', 'paging', 'color'], uses: readAll }],
  ['nl', { short: 'bdfhilnsvw', uses: readAll }],
  ['wc', { uses: readAll }],
  ['cut', { short: 'bcdf', uses: readAll }],
  ['sort', { short: 'kotST', uses: (given) => [...readAll(given), ...modified(given.options.get('o') ?? [])] }],
  ['diff', { short: 'UCIxWLF', long: ['label', 'unified', 'context', 'exclude', 'width'], uses: readAll }],
  ['cmp', { short: 'in', uses: readAll }],
  ['grep', GREP],
  ['egrep', GREP],
  ['fgrep', GREP],
  ['zgrep', GREP],
  [
    'rg',
    {
      short: 'efABCmgtTjMrdE',
      long: [
        ...['regexp', 'file', 'after-context', 'before-context', 'context', 'max-count', 'glob', 'iglob', 'type'],
        ...['type-not', 'threads', 'max-columns', 'replace', 'max-depth', 'sort', 'sortr', 'color', 'encoding'],
      ],
      uses: ripgrep,
    },
  ],
  ['sed', { short: 'efl', attached: 'i', long: ['expression', 'file', 'line-length'], uses: sed }],
  ['awk', { short: 'Fvfi', long: ['field-separator', 'assign', 'file'], uses: awk }],
  ['gawk', { short: 'Fvfi', long: ['field-separator', 'assign', 'file'], uses: awk }],
  ['perl', { short: 'eEMmI', attached: 'i', uses: perl }],
  ['jq', { short: 'fL', long: ['from-file', 'indent', 'arg', 'argjson', 'slurpfile', 'rawfile'], uses: jq }],
  ['tee', { uses: modifyAll }],
  ['rm', { uses: deleteAll }],
  ['rmdir', { uses: deleteAll }],
  ['unlink', { uses: deleteAll }],
  ['touch', { short: 'drt', long: ['date', 'reference', 'time'], uses: modifyAll }],
  ['truncate', { short: 'sr', long: ['size', 'reference'], uses: modifyAll }],
  ['cp', { short: 'tS', long: ['target-directory', 'suffix'], uses: copy }],
  ['mv', { short: 'tS', long: ['target-directory', 'suffix'], uses: move }],
  ['ln', { short: 'tS', long: ['target-directory', 'suffix'], uses: link }],
  ['install', { short: 'tSmog', long: ['target-directory', 'suffix', 'mode', 'owner', 'group'], uses: install }],
  ['dd', { uses: dd }],
  ['patch', { short: 'piodrBFVYzDg', long: ['input', 'strip', 'directory', 'output'], uses: patch }],
  ['git rm', { uses: remove }],
  ['git mv', { uses: move }],
  ['git checkout', { short: 'bB', long: ['orphan', 'conflict'], uses: checkout }],
  ['git checkout --', { long: [SOURCE, 'conflict'], uses: checkoutPaths }],
  ['git reset', { uses: hardReset }],
  ['git restore', { short: 's', long: ['source', 'conflict'], uses: restore }],
  ['git apply', { short: 'pC', long: ['directory', 'exclude', 'include', 'whitespace'], uses: readAll }],
])

/** `-i` of sed takes its suffix attached (GNU) or as the next word, mostly an empty one (BSD). */
function withoutSuffixWord(words: readonly Word[]): readonly Word[] {
  return words.filter((word, index) => {
    const after = /^-[nErsz]*i$/.test(words[index - 1]?.text ?? '')
    return !(after && !word.open && (word.text === '' || /^\.\w{1,8}$/.test(word.text)))
  })
}
