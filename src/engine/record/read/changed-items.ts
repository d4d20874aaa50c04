import type { ChangeFact, CommitFact, FileFact, GitFact, IndexDelta, Seq, SymbolFact } from '../../../model/types.ts'
import { unescaped } from '../escape.ts'

/** The facts that a record's lines about changes refer to. */
export type ChangeContext = {
  /** The folder that paths are relative to. */
  readonly root: string
  /** The commits that the record lists. */
  readonly commits: readonly CommitFact[]
}

/** A file of the ledger by its line in a record, or a commit; undefined where the line cannot be read exactly. */
export function changeIn(item: string, context: ChangeContext): IndexDelta | undefined {
  return commitIn(item) ?? fileIn(item, context)
}

/** A commit, a push or a pull request by its line in a record. */
export function commitIn(item: string): IndexDelta | undefined {
  const made = /^- (committed|amended)(?: ([0-9a-f]{4,40}))?(?: on (\S+))?: (.+) \(#(\d+)\)$/.exec(item)
  const sent = /^- (?:pushed(?: (\S+))?|opened (\S+)) \(#(\d+)\)$/.exec(item)
  if (made !== null) {
    const [, verb, hash, branch, subject = '', handle] = made
    const amended = verb === 'amended' ? true : undefined
    const commit: CommitFact = { seq: Number(handle), subject: unescaped(subject), hash, branch, amended }
    // The record says with each file which commit has it.
    return { commits: [commit], git: [stagedFor(commit, subject)] }
  }
  if (sent === null) return undefined
  const [, branch, url, handle] = sent
  const seq = Number(handle)
  return { git: [url === undefined ? { kind: 'pushed', seq, branch } : { kind: 'opened', seq, url }] }
}

/** Without a list a commit would have all files that were changed before it. */
function stagedFor({ seq }: CommitFact, path: string): GitFact {
  return { kind: 'staged', seq, paths: [path] }
}

const FILE =
  /^- (.+?): ((?:moved from |created|edited|written|changed by |deleted|reverted|resolved with ).*) \(#(\d+)\)(?:: (.*))?$/

function fileIn(item: string, { root, commits }: ChangeContext): IndexDelta | undefined {
  const [line = '', ...hunk] = item.split('\n')
  const [, name, life, handle, symbols] = FILE.exec(line) ?? []
  if (name === undefined || life === undefined || /, stashed\b/.test(life)) return undefined
  const seq = Number(handle)
  const path = whole(unescaped(name), root)
  const [said, hash, subject] = /, committed(?: ([0-9a-f]{4,40}))?(?: “(.+?)”)?(?:,|$)/.exec(life) ?? []
  if (said !== undefined && hash === undefined) return undefined
  const by = / by sub-agent ([^,]+)/.exec(life)?.[1]
  const isOwn = by === undefined || / and by sub-agent /.test(life)
  return {
    files: [{ ...lifeOf(life, path, seq, root), ...(by === undefined ? {} : { delegated: seq, by }) }],
    // Of the edits of a sub-agent a record has only the file.
    ...(isOwn ? { changes: [changeOf({ path, seq, life, symbols: symbols ?? '', hunk })] } : {}),
    ...(hash === undefined ? {} : committedFacts(path, { seq, hash, subject: unescaped(subject ?? '') }, commits)),
  }
}

/** The commit that has a file: the one of the list, which knows its place in the log, or one that only this line names. */
function committedFacts(path: string, named: CommitFact, commits: readonly CommitFact[]): IndexDelta {
  const listed = commits.find(({ hash }) => hash?.startsWith(named.hash ?? '') === true)
  const git = [stagedFor(listed ?? named, path)]
  return listed === undefined ? { commits: [named], git } : { git }
}

function whole(path: string, root: string): string {
  return path.startsWith('/') || path.startsWith('~') ? path : `${root}${path}`
}

function lifeOf(life: string, path: string, seq: Seq, root: string): FileFact {
  const from = /^moved from ([^,]+)/.exec(life)?.[1]
  const base = { path, seq, first: seq }
  if (life.startsWith('deleted')) return { ...base, access: 'deleted', deleted: seq }
  if (life.startsWith('reverted')) return { ...base, access: 'reverted', modified: seq, reverted: seq }
  const side = /^resolved with (ours|theirs)/.exec(life)?.[1]
  if (side === 'ours' || side === 'theirs') return { ...base, access: 'modified', modified: seq, resolved: seq, side }
  if (from !== undefined) return { ...base, access: 'modified', modified: seq, moved: seq, from: whole(from, root) }
  const created = life.startsWith('created') ? { created: seq } : {}
  return { ...base, access: 'modified', modified: seq, ...created }
}

type ChangeInput = { path: string; seq: Seq; life: string; symbols: string; hunk: readonly string[] }

function changeOf({ path, seq, life, symbols, hunk }: ChangeInput): ChangeFact {
  const parts = symbols.split('; ').map((part) => /^(has|added|removed|renamed|changed) (.+)$/.exec(part))
  const named = parts.flatMap((part): SymbolFact[] =>
    part === null || part[1] === 'renamed'
      ? []
      : namesIn(part[2]).map((name) => ({
          name,
          first: seq,
          last: seq,
          was: part[1] === 'removed' || part[1] === 'changed',
          is: part[1] !== 'removed',
        })),
  )
  named.reverse()
  const renamed = parts
    .flatMap((part) => (part?.[1] === 'renamed' ? namesIn(part[2]) : []))
    .flatMap((pair) => {
      const [from, to] = pair.split(' → ')
      return from === undefined || to === undefined ? [] : [{ seq, from, to }]
    })
  const text = hunk.map((line) => unescaped(line.slice(4))).join('\n')
  return {
    path,
    seq,
    edits: Number(/(\d+)×/.exec(life)?.[1] ?? 1),
    whole: life.startsWith('written') || symbols.startsWith('has ') ? seq : undefined,
    symbols: named,
    renamed,
    hunks: text === '' ? [] : [{ seq, text }],
  }
}

function namesIn(list = ''): string[] {
  return list.split(', ').filter((name) => !name.startsWith('… '))
}
