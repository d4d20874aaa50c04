import { expect, test } from 'vitest'
import { tenLineScript } from '../../bench/retention/methods/ten-lines.ts'
import { defaultCompaction, recordText, spanText } from '../../bench/retention/record-text.ts'
import { lastEdits } from '../../bench/retention/truth/edits.ts'
import { typedMeanwhile } from '../../bench/retention/truth/meanwhile.ts'
import { uncommittedFiles } from '../../bench/retention/truth/uncommitted.ts'
import { measuresOf, UNCOMMITTED_LABEL, workOf } from '../../bench/retention/work.ts'
import { workTable } from '../../bench/retention/work-table.ts'
import { logOf, type Message } from '../../src/engine.ts'
import { toolSteps } from '../../src/eval/truth/steps.ts'

let ids = 0
const call = (toolName: string, input: Record<string, unknown> | string, value = 'done', failed = false): Message[] => {
  const toolCallId = `c${ids++}`
  const output = { type: failed ? ('error-text' as const) : ('text' as const), value }
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
  ]
}
const edit = (file: string, before: string, after: string): Message[] =>
  call('Edit', { file_path: file, old_string: before, new_string: after })

const SPAN: Message[] = [
  { role: 'user', content: 'Make the parser strict.' },
  ...edit('/app/src/parse.ts', 'const isLenient = true', 'const isLenient = true\nfunction rejectUnknown() {}'),
  ...call('Bash', { command: 'git commit -am "Reject what is unknown"' }),
  ...edit('/app/src/print.ts', 'return printAll(tree)', 'return printSorted(tree)'),
  { role: 'user', content: 'and keep the order of the keys' },
  ...call('Bash', { command: 'npm test' }, '12 passed'),
  { role: 'assistant', content: 'It prints in order now.' },
]
const AFTER: Message[] = [...call('Bash', { command: 'grep -n printSorted src/print.ts lib/unseen.ts' })]
const work = workOf({ span: SPAN.map((message, i) => ({ seq: i + 1, message })), after: AFTER })
const share = (text: string, measure: keyof ReturnType<typeof measuresOf>) => {
  const { part, whole } = measuresOf(work, text)[measure]
  return `${part}/${whole}`
}

test('an edit is described by a line that it changed, or by a name that it changed near its file', () => {
  expect(share('- src/parse.ts: added rejectUnknown\n- src/print.ts: edited', 'edits described')).toBe('1/2')
  expect(share('> return printSorted(tree)', 'edits described')).toBe('1/2')
  expect(share(`printSorted${' and so on'.repeat(100)} print.ts`, 'edits described')).toBe('0/2')
  expect(share('parse.ts, print.ts', 'edits described')).toBe('0/2')
})

test('edits are read from pairs of texts, lists of them, whole files and patches; one that failed is none', () => {
  const patch = `*** Begin Patch\n*** Update File: a.go\n@@\n-\tcount := 1 // as before\n+\ttotalCount := 2\n*** Add File: b.go\n+func LoadAll() {}\n*** End Patch`
  const steps = toolSteps([
    ...call('MultiEdit', { path: 'x.ts', edits: [{ oldText: 'let a', newText: 'let firstName' }] }),
    ...call('Write', { file_path: 'y.py', content: 'def main_loop():\n  pass' }),
    ...call('apply_patch', patch),
    ...call('exec_command', { cmd: `apply_patch <<'EOF'\n${patch}\nEOF` }),
    ...call('Edit', { file_path: 'z.ts', old_string: 'a', new_string: 'function failedEdit() {}' }, 'no match', true),
  ])
  const edits = lastEdits(steps)
  expect(edits.map(({ path }) => path)).toEqual(['x.ts', 'y.py', 'a.go', 'b.go', 'a.go', 'b.go'])
  expect(edits.map(({ names }) => names[0])).toEqual([
    'firstName',
    'main_loop',
    'totalCount',
    'LoadAll',
    'totalCount',
    'LoadAll',
  ])
  expect(lastEdits(steps, 2)).toHaveLength(2)
})

test('work is uncommitted after the last commit, and found on the line of the file or in the title above it', () => {
  expect(work.uncommitted).toEqual(['/app/src/print.ts'])
  expect(uncommittedFiles(toolSteps(edit('/app/a.ts', 'a', 'b')))).toEqual([])
  expect(share('- src/print.ts: edited, uncommitted', UNCOMMITTED_LABEL)).toBe('1/1')
  expect(share('## Uncommitted changes\n- src/\n  - print.ts', UNCOMMITTED_LABEL)).toBe('1/1')
  expect(share('- src/parse.ts: uncommitted\n- src/print.ts: edited', UNCOMMITTED_LABEL)).toBe('0/1')
})

test('what the user typed between calls, in a rejection or as an answer was typed meanwhile', () => {
  expect(work.meanwhile).toEqual(['and keep the order of the keys'])
  const rejected =
    "The user doesn't want to proceed with this tool use. To tell you how, the user said:\nnot on a Friday"
  const answered = 'User has answered your questions: "Which one?"="the second one". You can now continue'
  const messages = [...call('Bash', { command: 'deploy' }, rejected, true), ...call('AskUserQuestion', {}, answered)]
  expect(typedMeanwhile(messages)).toEqual(['not on a Friday', 'the second one'])
})

test('names of the next calls count if the span had shown them, precision if they occur again', () => {
  expect(work.nextNames.toSorted()).toEqual(['print.ts', 'printSorted'])
  expect(share('print.ts and parse.ts', 'names of the next 15 calls')).toBe('1/2')
  expect(share('print.ts and parse.ts', 'precision of names')).toBe('1/2')
})

test('lists of bare names go, also over several lines; sentences and what is said of a file stay', () => {
  const kept = '## Files\nFirst, it parses, then prints, and return printSorted(tree) is new'
  const names = 'loadAll, saveAll\nb.json: oneName\nfindAll = keepAll'
  const [left = ''] = work.withoutLists([`${kept}\n${names}\n## Next\n- go on`])
  expect(left).toContain(kept)
  expect(left).toContain('## Next\n- go on')
  expect(left).not.toMatch(/All|oneName/)
})

test('the ten-line script has the files, the beginnings of the prompts and the newest words, within its length', () => {
  const span = SPAN.map((message, i) => ({ seq: i + 1, message }))
  const text = tenLineScript({ span })
  expect(text.split('\n').slice(0, 4)).toEqual([
    '/app/src/parse.ts',
    '/app/src/print.ts',
    'Make the parser strict.',
    'and keep the order of the keys',
  ])
  expect(text.endsWith('It prints in order now.')).toBe(true)
  expect(tenLineScript({ span }, 50)).toHaveLength(50)
})

test('a record is taken from a compaction by the default policy, and at a given length', async () => {
  const long = Array.from({ length: 12 }, (_, i) => [
    { role: 'user' as const, content: `Request ${i}: look at the parser again.` },
    ...call('Bash', { command: `npm test -- ${i}` }, 'a line of output of the tests\n'.repeat(400)),
    { role: 'assistant' as const, content: `Step ${i} is done.` },
  ]).flat()
  const cut = { log: logOf(long) }
  expect(recordText(await defaultCompaction(cut))).toContain('Request 0')
  const record = await spanText(cut, 1_501)
  expect(record).toContain('Request 11')
  expect(record.length).toBeLessThanOrEqual(1_501)
})

test('the table has sizes in the mean and shares over all cuts together', () => {
  const texts = [
    { work, text: '- src/print.ts: uncommitted, printSorted' },
    { work: { ...work, uncommitted: [] }, text: 'no' },
  ]
  const { rows } = workTable('x', [{ method: 'a', texts }])
  const cell = (name: string) => rows.find(([first]) => first === name)?.[1]
  expect(cell('characters')).toBe(21)
  expect(cell(UNCOMMITTED_LABEL)).toBe(100)
  expect(cell('edits described')).toBe(25)
})
