import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { indexDelta } from '../../../../src/engine/extract/index-delta.ts'
import type { ChangeFact, Message, ToolResultOutput } from '../../../../src/model/types.ts'
import { anyCharacter } from '../../../support/any-character.ts'
import { full } from '../../../support/full.ts'
import { call } from '../../../support/messages.ts'

function changes(
  toolName: string,
  input: unknown,
  output: ToolResultOutput = { type: 'text', value: 'ok' },
): ChangeFact[] {
  const messages: Message[] = [
    call('c', toolName, input),
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName, output }] },
  ]
  return indexDelta(viewOf(logOf(messages)).items.slice()).changes ?? []
}

const OLD = 'export function old() {\n  return 1\n}'
const NEW = 'export function fresh() {\n  return 1\n}'
const HUNK = '-export function old() {\n+export function fresh() {'
const UPDATE = `*** Begin Patch\n*** Update File: a.ts\n@@\n-export function old() {\n+export function fresh() {\n   return 1\n*** End Patch`
const DIFF =
  '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-export function old() {\n+export function fresh() {\n   return 1\n'

describe('an edit of a function’s name, as each agent writes it', () => {
  it.each<[agent: string, toolName: string, input: unknown]>([
    ['Claude Code', 'Edit', { file_path: 'a.ts', old_string: OLD, new_string: NEW, replace_all: false }],
    ['Claude Code', 'MultiEdit', { file_path: 'a.ts', edits: [{ old_string: OLD, new_string: NEW }] }],
    ['Gemini CLI', 'replace', { file_path: 'a.ts', instruction: 'x', old_string: OLD, new_string: NEW }],
    ['opencode', 'edit', { filePath: 'a.ts', oldString: OLD, newString: NEW }],
    ['pi', 'edit', { path: 'a.ts', oldText: OLD, newText: NEW }],
    ['Pith', 'edit', { path: 'a.ts', edits: [{ oldText: OLD, newText: NEW }] }],
    ['Copilot', 'edit', { path: 'a.ts', old_str: OLD, new_str: NEW }],
    ['OpenHands', 'str_replace_editor', { command: 'str_replace', path: 'a.ts', old_str: OLD, new_str: NEW }],
    ['SWE-agent', 'edit', { path: 'a.ts', search: OLD, replace: NEW }],
    ['Codex', 'apply_patch', UPDATE],
    ['Codex', 'apply_patch', { input: UPDATE }],
    ['Codex', 'shell', { command: ['apply_patch', UPDATE] }],
    ['Codex', 'exec_command', { cmd: `apply_patch <<'EOF'\n${UPDATE}\nEOF` }],
    ['opencode', 'apply_patch', { patchText: UPDATE }],
    ['opencode', 'patch', { patchText: DIFF }],
    ['any', 'bash', { command: `git apply <<'EOF'\n${DIFF}EOF` }],
  ])('%s: %s', (_, toolName, input) => {
    const [change, ...others] = changes(toolName, input)
    expect(others).toEqual([])
    expect(change).toMatchObject({
      path: 'a.ts',
      edits: 1,
      hunks: [{ text: HUNK }],
      renamed: [{ from: 'old', to: 'fresh' }],
    })
    expect(change?.symbols?.map(({ name, was, is }) => [name, was, is]).toSorted()).toEqual([
      ['fresh', false, true],
      ['old', true, false],
    ])
  })
})

describe('another name in an edit', () => {
  const renamed = (before: string, after: string, path = 'a.ts') =>
    changes('edit', { path, oldText: before, newText: after }).flatMap(({ renamed = [] }) => renamed)
  const first = 'function get(id: string) {\n  return getAll().find((one) => one.id === id)\n}'

  it('is a rename if the rest stayed, calls of itself included', () => {
    const to = { from: 'get', to: 'fetch' }
    expect(renamed(first, first.replace('get(', 'fetch('))).toMatchObject([to])
    expect(renamed('function get() {', 'function fetch() {')).toMatchObject([to])
    expect(renamed('function get(n) {\n  get(n - 1)', 'function fetch(n) {\n  fetch(n - 1)')).toMatchObject([to])
  })

  it.each([
    ['another body', first, 'function fetch(id: string) {\n  return cache.get(id)\n}'],
    ['a line more', first, first.replace('get(', 'fetch(').replace('{\n', '{\n  check(id)\n')],
    ['other parameters', 'function get(id: string) {', 'function fetch(): Promise<Item> {'],
    ['another value', 'const LIMIT = 10', 'const MOST = 20'],
  ])('is one removed and one added with %s', (_, before, after) => {
    expect(renamed(before, after)).toEqual([])
    const [change] = changes('edit', { path: 'a.ts', oldText: before, newText: after })
    expect(change?.symbols).toHaveLength(2)
  })

  it('is not a rename of a heading whose text changed too', () => {
    expect(renamed('## Colors (9)\n\n- link', '## Colors (10)\n\n- link\n- url', 'a.md')).toEqual([])
  })
})

describe('a file that is written as a whole, as each agent writes it', () => {
  const TEXT = "import x from 'x'\n\nexport class Engine {\n  start(now: number): void {\n  }\n}\n"
  it.each<[agent: string, toolName: string, input: unknown]>([
    ['Claude Code', 'Write', { file_path: 'a.ts', content: TEXT }],
    ['Gemini CLI', 'write_file', { file_path: 'a.ts', content: TEXT }],
    ['opencode', 'write', { filePath: 'a.ts', content: TEXT }],
    ['pi', 'write', { path: 'a.ts', content: TEXT }],
    ['Copilot', 'create', { path: 'a.ts', file_text: TEXT }],
    ['OpenHands', 'str_replace_editor', { command: 'create', path: 'a.ts', file_text: TEXT }],
    ['Codex', 'apply_patch', `*** Begin Patch\n*** Add File: a.ts\n${TEXT.replace(/^/gm, '+')}\n*** End Patch`],
    ['any', 'bash', { command: `cat > a.ts <<'EOF'\n${TEXT}EOF` }],
    ['any', 'bash', { command: `cat <<'EOF' > a.ts\n${TEXT}EOF` }],
    ['any', 'bash', { command: `tee a.ts <<'EOF'\n${TEXT}EOF` }],
  ])('%s: %s', (_, toolName, input) => {
    const [change, ...others] = changes(toolName, input)
    expect(others).toEqual([])
    expect(change?.whole).toBe(change?.seq)
    expect(change?.symbols?.map(({ name, is }) => [name, is])).toEqual([
      ['Engine', true],
      ['start', true],
    ])
    expect(change?.hunks?.[0]?.text).toMatch(/^\+export class Engine \{\n\+ {2}start/)
  })
})

describe('other edits', () => {
  it('show a long line that was replaced by its beginning and from the point where it differs', () => {
    const same =
      'Because this is an average, the score of a group is the share of its members that passed, however many there are and whatever they check in the end, which is why'
    const input = {
      file_path: 'a.md',
      old_string: `${same} a strict group needs a script of its own.`,
      new_string: `${same} the threshold of the parent is set to 1 / N for a group of N members.`,
    }
    expect(changes('Edit', input)[0]?.hunks?.[0]?.text).toBe(
      [
        '-Because this is an average, the score of a group … check in the end, which is why a strict group needs a script of its own.',
        '+Because this is an average, the score of a group … check in the end, which is why the threshold of the parent is set to 1 / N for a group of N members.',
      ].join('\n'),
    )
  })

  it('name the function around the changed line, also from the header of a hunk', () => {
    const patch = '*** Begin Patch\n*** Update File: a.py\n@@ def load(path):\n-    x = 1\n+    x = 2\n*** End Patch'
    expect(changes('apply_patch', patch)[0]?.symbols).toMatchObject([{ name: 'load', was: true, is: true }])
  })

  it('of a notebook and of an insertion have only new lines', () => {
    expect(changes('NotebookEdit', { notebook_path: 'a.ipynb', new_source: 'x = 2' })[0]?.hunks?.[0]?.text).toBe(
      '+x = 2',
    )
    const inserted = { command: 'insert', path: 'a.py', insert_line: 3, new_str: 'x = 2' }
    expect(changes('str_replace_editor', inserted)[0]?.hunks?.[0]?.text).toBe('+x = 2')
  })

  it('with sed say what they replace', () => {
    expect(changes('bash', { command: "cd src && sed -i 's/port = 80/port = 81/' a.toml" })).toMatchObject([
      { path: 'src/a.toml', hunks: [{ text: '-port = 80\n+port = 81' }], symbols: [{ name: 'port' }] },
    ])
  })

  it('that were refused or failed change nothing', () => {
    const input = { file_path: 'a.ts', old_string: OLD, new_string: NEW }
    expect(changes('Edit', input, { type: 'error-text', value: 'String to replace not found' })).toEqual([])
    expect(changes('Edit', input, { type: 'execution-denied' })).toEqual([])
    const failed = { type: 'text', value: 'Exit code: 1\nOutput:\nInvalid Context 0' } as const
    expect(changes('apply_patch', UPDATE, failed)).toEqual([])
  })

  it('that a command makes without saying how are not edits', () => {
    expect(changes('bash', { command: 'npm test > out.log; cp a.ts b.ts; mv c.ts d.ts; rm e.ts' })).toEqual([])
  })
})

describe('hostile input', () => {
  it('is read without an error, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Edit', 'apply_patch', 'bash', 'str_replace_editor', 'Write', 'MultiEdit'),
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc.dictionary(
            fc.constantFrom('file_path', 'old_string', 'new_string', 'content', 'edits', 'command', 'path', 'input'),
            fc.oneof(
              fc.string({ unit: anyCharacter }),
              fc.array(fc.string()),
              fc.constantFrom(null, 7, [{ old_string: 'a' }]),
            ),
          ),
        ),
        (toolName, input) => {
          for (const { symbols = [], hunks = [] } of changes(toolName, input)) {
            expect(symbols.length).toBeLessThanOrEqual(40)
            for (const { text } of hunks) expect(text.length).toBeLessThan(700)
          }
        },
      ),
      { numRuns: full ? 1_000 : 10 },
    )
  })

  it.each([
    'export function ',
    '*** Update File: a\n',
    '@@ ',
    "it('",
    '(',
    'a '.repeat(10),
    '# ',
    '\n',
    's/',
    '[',
    '{"',
  ])('of a hundred thousand characters of %j takes no longer than it has to', (unit) => {
    const text = unit.repeat(Math.ceil(100_000 / unit.length))
    expect(changes('Edit', { file_path: 'a.ts', old_string: '', new_string: text }).length).toBe(1)
    expect(changes('apply_patch', `*** Update File: a.ts\n${text}`).length).toBeGreaterThan(0)
  })
})
