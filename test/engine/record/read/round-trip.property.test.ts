import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digest } from '../../../../src/engine/record/digest/digest.ts'
import { frameSummary } from '../../../../src/engine/record/frame.ts'
import { recordIn } from '../../../../src/engine/record/read/read-record.ts'
import { type RecordSeal, withSeal } from '../../../../src/engine/record/read/record-place.ts'
import { HEADING, SECTION } from '../../../../src/engine/record/sections/section-titles.ts'
import { emptyIndex, mergeIndexes } from '../../../../src/model/facts/log-index.ts'
import type { ChangeFact, FileFact, Index, Seq, SummaryItem } from '../../../../src/model/types.ts'
import { featureEstimator } from '../../../../src/tokens/estimate/feature-estimator.ts'
import { full } from '../../../support/full.ts'

const SEAL: RecordSeal = { sign: (text) => `s${text.length}`, isSigned: (text, seal) => seal === `s${text.length}` }
const ROOM = { indexTokens: 60_000, userTokens: 20_000, nameTokens: 8_000 }

/** A record of an index: the narrative made from its statements and from the text of an earlier record, and its facts. */
function rendered(index: Index, narrative = '', budget = ROOM): string {
  const items: SummaryItem[] = narrative === '' ? [] : [earlier(narrative, index)]
  const summary = digest({ items, index, tokens: budget.indexTokens, estimator: featureEstimator })
  const frame = { frame: 'pith', form: 'sections', messages: 10, standsFor: 10, budget } as const
  return String(frameSummary({ ...frame, summary, index }).content)
}

function earlier(text: string, index: Index): SummaryItem {
  const message = { role: 'user' as const, content: text }
  const place = { seq: 1, place: 1, from: 0, upTo: 1, standsFor: 10 }
  return { kind: 'summary', ...place, message, text, written: true, frame: 'keen', pinned: false, index }
}

function renderedAgain(record: string, budget = ROOM): string {
  const read = recordIn(withSeal(record, SEAL), { seal: SEAL })
  expect(read).toBeDefined()
  return rendered({ ...emptyIndex, ...read?.facts }, read?.narrative, budget)
}

const seqs = fc.integer({ min: 2, max: 400 })
/** Words as people, programs and files have them; some would begin a section, a handle or a label if they were not escaped. */
const word = fc.constantFrom(
  'parse',
  'the',
  'port',
  'src/a.ts',
  '#12',
  '(#7)',
  '##',
  '“so”',
  '`npm`',
  'a:',
  '→',
  '- x',
  '[x]',
  '…',
)
const phrase = fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => words.join(' '))
const paths = fc.constantFrom(
  '/home/u/project/src/a.ts',
  '/home/u/project/src/deep/b.go',
  '/home/u/project/README.md',
  '/home/u/project/#1 notes.md',
  '/home/u/project/src/index.ts',
  '/home/u/project/test/index.ts',
  '/tmp/scratch.py',
  'lib/c.rs',
)
const names = fc.array(fc.constantFrom('load', 'save', 'Map<K>', '# Title', 'renderAll', 'x'), { maxLength: 5 })

const files: fc.Arbitrary<{ file: FileFact; change: ChangeFact | undefined }> = fc
  .record({
    path: paths,
    seq: seqs,
    access: fc.constantFrom('read', 'modified', 'modified', 'deleted', 'reverted'),
    isNew: fc.boolean(),
    from: fc.option(paths, { nil: undefined, freq: 5 }),
    edits: fc.integer({ min: 1, max: 4 }),
    isWhole: fc.boolean(),
    symbols: names,
    was: fc.boolean(),
    hunk: fc.option(fc.array(phrase, { minLength: 1, maxLength: 4 }), { nil: undefined }),
  })
  .map(({ path, seq, access, isNew, from, edits, isWhole, symbols, was, hunk }) => {
    const at = access === 'read' ? {} : { [access]: seq, first: seq }
    const made = access === 'modified' && isNew ? { created: seq } : {}
    const moved = access === 'modified' && from !== undefined && from !== path ? { moved: seq, from } : {}
    const file: FileFact = { path, access, seq, ...at, ...made, ...moved }
    const change: ChangeFact = {
      path,
      seq,
      edits,
      ...(isWhole ? { whole: seq } : {}),
      symbols: [...new Set(symbols)].map((name) => ({ name, first: seq, last: seq, was, is: true })),
      hunks:
        hunk === undefined
          ? []
          : [{ seq, text: hunk.map((line, i) => `${i % 2 === 0 ? '+' : '-'}${line}`).join('\n') }],
    }
    return { file, change: access === 'read' ? undefined : change }
  })

const hash = fc.constantFrom('abcdef1234', '0123456789abcdef', undefined)
const git = fc.oneof(
  fc.record({ kind: fc.constant('staged' as const), seq: seqs, paths: fc.array(paths, { maxLength: 2 }) }),
  fc.record({
    kind: fc.constant('status' as const),
    seq: seqs,
    paths: fc.array(paths, { maxLength: 3 }),
    whole: fc.constant(true as const),
  }),
  fc.record({ kind: fc.constant('stashed' as const), seq: seqs }),
  fc.record({ kind: fc.constant('pushed' as const), seq: seqs, branch: fc.constantFrom('main', undefined) }),
  fc.record({ kind: fc.constant('opened' as const), seq: seqs, url: fc.constant('https://example.dev/pull/3') }),
)
const commit = fc.record(
  {
    seq: seqs,
    subject: phrase,
    hash,
    branch: fc.constantFrom('main', undefined),
    amended: fc.constantFrom(true as const, undefined),
  },
  { requiredKeys: ['seq', 'subject'] },
)
const command = fc.record(
  {
    command: fc.oneof(
      fc.constantFrom(
        'npm test',
        'go test ./src',
        'tsc --noEmit',
        'npm run dev',
        'npm install',
        'make build',
        'gh pr create',
      ),
      phrase.map((text) => `npm test -- ${text}`),
      phrase.map((text) => `docker run ${text}`),
    ),
    seq: seqs,
    runs: fc.constantFrom(1, 3),
    ok: fc.boolean(),
    tests: fc.record({ passed: fc.nat(9), failed: fc.nat(2) }),
  },
  { requiredKeys: ['command', 'seq', 'runs'] },
)
const error = fc.record(
  {
    seq: seqs,
    text: phrase,
    command: fc.constantFrom('npm test', 'tsc --noEmit', 'docker run x'),
    path: paths,
    said: fc
      .tuple(fc.record({ seq: seqs, text: fc.constant('It was the port, which is taken.') }))
      .map((said) => [...said]),
  },
  { requiredKeys: ['seq', 'text'] },
)
const todos = fc.array(
  fc.record({ text: phrase, status: fc.constantFrom('pending', 'in-progress', 'done', 'cancelled') }),
  { maxLength: 4 },
)
const AT = Date.UTC(2026, 10, 15, 9, 30)
const user = fc.record(
  {
    seq: seqs,
    text: fc.array(phrase, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n')),
    at: fc.constantFrom(AT, AT - 400 * 86_400_000),
    reply: fc.constantFrom('answer', 'approval', 'rejection', 'meanwhile', undefined),
  },
  { requiredKeys: ['seq', 'text'] },
)
const statement = fc.record({
  kind: fc.constantFrom('answer', 'reason'),
  seq: seqs,
  text: phrase.map((text) => `Because ${text}, it is so that the build is slow and nothing else.`),
})

const instructionFile = fc.record(
  {
    path: fc.constantFrom(
      '/home/u/project/AGENTS.md',
      '/home/u/project/docs/#2 policy.md',
      'sub (a part)/CONTRIBUTING.md',
    ),
    seq: seqs,
    how: fc.constantFrom('read', 'read', 'part', 'printed', 'written', 'edited'),
    text: fc.array(phrase, { minLength: 1, maxLength: 5 }).map((lines) => lines.join('\n\n')),
    length: fc.constant(9_000),
    pieces: fc.record({ before: fc.constant('port'), after: fc.constant('parse') }).map((piece) => [piece]),
  },
  { requiredKeys: ['path', 'seq', 'how', 'pieces'] },
)

/** The facts of every section of a record. */
const index: fc.Arbitrary<Index> = fc
  .record({
    changed: fc.array(files, { maxLength: 8 }),
    git: fc.array(git, { maxLength: 5 }),
    commits: fc.array(commit, { maxLength: 4 }),
    commands: fc.array(command, { maxLength: 8 }),
    errors: fc.array(error, { maxLength: 5 }),
    todos,
    users: fc.array(user, { maxLength: 6 }),
    inRole: fc.uniqueArray(user, { maxLength: 3, selector: ({ seq }) => seq }),
    // One message is one instruction.
    instructions: fc.uniqueArray(user, { maxLength: 2, selector: ({ seq }) => seq }),
    instructionFiles: fc.array(instructionFile, { maxLength: 5 }),
    statements: fc.array(statement, { maxLength: 6 }),
    seen: fc.array(
      fc.record({ seq: seqs, names: names.map((some) => [...new Set(some)]), used: fc.boolean(), path: paths }),
      { maxLength: 3 },
    ),
    printed: fc.array(
      fc.record(
        {
          seq: seqs,
          text: fc
            .tuple(fc.constantFrom('port = 5432', 'The user said 12', '"a": 34', '2,000 jobs'), phrase)
            .map((words) => words.join(' ')),
          file: fc.constantFrom('db.ts', '#1'),
          times: fc.constantFrom(2, 9),
        },
        { requiredKeys: ['seq', 'text'] },
      ),
      { maxLength: 6 },
    ),
    identifiers: fc.uniqueArray(
      fc.record({
        kind: fc.constantFrom('url'),
        text: fc.constantFrom('https://a.dev/one', 'https://b.dev/two?x=3', 'http://localhost:3000'),
        seq: seqs,
      }),
      { selector: ({ text }) => text },
    ),
  })
  .map(({ changed, todos: items, users, inRole, instructions, ...facts }) => {
    const without = ({ seq, text }: { seq: Seq; text: string }) => ({ seq, text })
    return mergeIndexes([
      {
        ...facts,
        files: changed.map(({ file }) => file),
        changes: changed.flatMap(({ change }) => change ?? []),
        todos: items.length === 0 ? [] : [{ kind: 'list', seq: 400, items }],
        users,
        inRole: inRole.map(({ reply: _, ...fact }) => fact),
        instructions: instructions.map(without),
      } as Index,
    ])
  })

describe('a record that is rendered, read and rendered again', () => {
  it('has the same bytes', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(index, (facts) => {
        const record = rendered(facts)
        for (const [, title = ''] of record.matchAll(/^##+ (.+)$/gm)) seen.add(title)
        expect(renderedAgain(record)).toBe(record)
      }),
      { numRuns: full ? 10_000 : 40 },
    )
    const titles = [...Object.values(SECTION), ...Object.values(HEADING)]
    const notFromFacts: string[] = [SECTION.details, SECTION.earlier, HEADING.onTheWay]
    expect(titles.filter((title) => !seen.has(title) && !notFromFacts.includes(title))).toEqual([])
  })

  it('keeps the order of checks of one command and of reports of one entry, which have one handle', () => {
    const text = (part: string) => `The ${part} is slow because it reads every file of the project twice.`
    const statements = ['build', 'check'].map((part) => ({ kind: 'answer' as const, seq: 207, text: text(part) }))
    const commands = ['npm test -- first', 'npm test -- second'].map((command) => ({
      command,
      seq: 7,
      runs: 1,
      ok: true,
    }))
    const record = rendered({ ...emptyIndex, statements, commands })
    expect(record).toMatch(/The check is slow[\s\S]+The build is slow[\s\S]+-- second[\s\S]+-- first/)
    expect(renderedAgain(record)).toBe(record)
  })

  it('keeps each failure of one entry that is over', () => {
    const errors = ['docker run x', 'tsc --noEmit'].map((command) => ({ command, seq: 26, text: `${command} failed` }))
    const commands = errors.map(({ command }, i) => ({ command, seq: 30 + i, runs: 1, ok: true }))
    const record = rendered({ ...emptyIndex, errors, commands })
    expect(record).toContain('- #26 `docker run x`: docker run x failed → passed later (#30)')
    expect(record).toContain('- #26 `tsc --noEmit`: tsc --noEmit failed → passed later (#31)')
    expect(renderedAgain(record)).toBe(record)
  })

  it('names no folder that none of its paths is in', () => {
    const deleted = ['a.ts', 'b.ts'].map((name): FileFact => {
      return { path: `/home/u/project/${name}`, access: 'deleted', seq: 2, deleted: 2, first: 2 }
    })
    const changes = deleted.map(({ path }) => ({ path, seq: 2, edits: 1, whole: 2, symbols: [], hunks: [] }))
    const files: FileFact[] = [...deleted, { path: '/tmp/scratch.py', access: 'read', seq: 3 }]
    const record = rendered({ ...emptyIndex, files, changes })
    expect(record).toContain('/tmp/scratch.py')
    expect(record).not.toContain('/home/u/project')
    expect(renderedAgain(record)).toBe(record)
  })
})
