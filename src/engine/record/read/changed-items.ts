import type {
  ChangeFact,
  CommitFact,
  FileFact,
  IndexDelta,
  RecordedFile,
  Seq,
  SymbolFact,
} from '../../../model/types.ts'
import { isWholePath } from '../../extract/current-files.ts'
import { CHECK_NOUNS } from '../../extract/ledger/command-kind.ts'
import { NOT_CHECKED } from '../../extract/ledger/ledger-of.ts'
import { unescaped } from '../escape.ts'

/** The folder and the place in the log that the lines about changes refer to. */
export type ChangeContext = {
  /** The folder that paths are relative to. */
  readonly root: string
  /** The last entry that the record knows. */
  readonly upTo: Seq
  /** A record of 0.2 said of files that they are uncommitted, or checked, without evidence of it. */
  readonly isFormer: boolean
}

/** A file of the ledger by its line in a record, or a commit; undefined if the line cannot be read exactly. */
export function changeIn(item: string, context: ChangeContext): IndexDelta | undefined {
  return commitIn(item) ?? fileIn(item, context)
}

/** A commit, a push or a pull request by its line in a record. */
function commitIn(item: string): IndexDelta | undefined {
  const made = /^- (committed|amended)(?: ([0-9a-f]{4,40}))?(?: on (\S+))?: (.+) \(#(\d+)\)$/.exec(item)
  const sent = /^- (?:pushed(?: (\S+))?|opened (\S+)) \(#(\d+)\)$/.exec(item)
  if (made !== null) {
    const [, verb, hash, branch, subject = '', handle] = made
    const seq = Number(handle)
    const commit: CommitFact = { seq, subject, hash, branch }
    // Of the commit that was amended nothing is known; without it the one before would count as amended.
    return {
      commits:
        verb === 'amended'
          ? [
              { seq, subject: '' },
              { ...commit, amended: true },
            ]
          : [commit],
    }
  }
  if (sent === null) return undefined
  const [, branch, url, handle] = sent
  const seq = Number(handle)
  return { git: [url === undefined ? { kind: 'pushed', seq, branch } : { kind: 'opened', seq, url }] }
}

const OWN = String.raw`moved from .+?(?:, edited \d+×)?|created(?:, edited \d+×)?|(?:edited|written)(?: \d+×)?|deleted|reverted|resolved with \w+`
const LIFE = `(?:${OWN})(?: (?:and )?by sub-agent [^,]+?)?|changed by sub-agent [^,]+?`
const STANDING = 'uncommitted|stashed|as git has it|outside the repository|committed(?: [0-9a-f]{4,40})?(?: “.*?”)?'
const OUTCOME = String.raw`(?:ran|passed|FAILED)(?:: (?:\d+ passed)?(?:, )?(?:\d+ failed)?)?`
const NOUNS = Object.values(CHECK_NOUNS).join('|')
const CHECKED = String.raw`${NOT_CHECKED}|\`.+?\` ${OUTCOME} \(#\d+\)|(?:${NOUNS}) ${OUTCOME}(?: \(#\d+\))?`
const FILE = new RegExp(String.raw`^- (.+?): (${LIFE})(?:, (${STANDING}))?(?:, (${CHECKED}))? \(#(\d+)\)(?:: (.*))?$`)

function fileIn(item: string, { root, upTo, isFormer }: ChangeContext): IndexDelta | undefined {
  const [line = '', ...hunk] = item.split('\n')
  const [, name, life, standing = '', checked, handle, symbols] = FILE.exec(line) ?? []
  if (name === undefined || life === undefined) return undefined
  const seq = Number(handle)
  const path = wholePath(unescaped(name), root)
  const by = / by sub-agent ([^,]+)/.exec(life)?.[1]
  const isOwn = by === undefined || / and by sub-agent /.test(life)
  const hunks = hunk.map((text) => unescaped(text.slice(4))).join('\n')
  const known = { path, seq, upTo, life, symbols, ...(hunks === '' ? {} : { hunks }) }
  const recorded: RecordedFile = isFormer
    ? { ...known, ...(standing === 'uncommitted' ? { standing: 'unknown' } : standingIn(standing)) }
    : { ...known, ...standingIn(standing), checked }
  return {
    files: [{ ...lifeOf(life, path, seq, root), ...(by === undefined ? {} : { delegated: seq, by }) }],
    // Of the edits of a sub-agent a record has only the file.
    ...(isOwn ? { changes: [changeOf({ path, seq, life, symbols: symbols ?? '', hunks })] } : {}),
    recorded: [recorded],
  }
}

function standingIn(text: string): Pick<RecordedFile, 'standing' | 'commit'> {
  const [committed, hash, subject] = /^committed(?: ([0-9a-f]{4,40}))?(?: “(.*)”)?$/.exec(text) ?? []
  if (committed !== undefined) {
    const commit = { hash, subject: subject ?? '' }
    return { standing: 'committed', ...(hash === undefined && subject === undefined ? {} : { commit }) }
  }
  return { standing: STANDINGS[text] ?? 'unknown' }
}

const STANDINGS: Readonly<Record<string, RecordedFile['standing']>> = {
  uncommitted: 'uncommitted',
  stashed: 'stashed',
  'as git has it': 'unchanged',
  'outside the repository': 'outside',
}

/** A path of a record from the root. */
export function wholePath(path: string, root: string): string {
  return isWholePath(path) ? path : `${root}${path}`
}

function lifeOf(life: string, path: string, seq: Seq, root: string): FileFact {
  const from = /^moved from (.+?)(?:, edited \d+×)?$/.exec(life)?.[1]
  const base = { path, seq, first: seq }
  if (life.startsWith('deleted')) return { ...base, access: 'deleted', deleted: seq }
  if (life.startsWith('reverted')) return { ...base, access: 'reverted', modified: seq, reverted: seq }
  const side = /^resolved with (ours|theirs)/.exec(life)?.[1]
  if (side === 'ours' || side === 'theirs') return { ...base, access: 'modified', modified: seq, resolved: seq, side }
  if (from !== undefined) return { ...base, access: 'modified', modified: seq, moved: seq, from: wholePath(from, root) }
  const created = life.startsWith('created') ? { created: seq } : {}
  return { ...base, access: 'modified', modified: seq, ...created }
}

type ChangeInput = { path: string; seq: Seq; life: string; symbols: string; hunks: string }

function changeOf({ path, seq, life, symbols, hunks }: ChangeInput): ChangeFact {
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
  return {
    path,
    seq,
    edits: Number(/(\d+)×/.exec(life)?.[1] ?? 1),
    whole: life.startsWith('written') || symbols.startsWith('has ') ? seq : undefined,
    symbols: named,
    renamed,
    hunks: hunks === '' ? [] : [{ seq, text: hunks }],
  }
}

function namesIn(list = ''): string[] {
  return list.split(', ').filter((name) => !name.startsWith('… '))
}
