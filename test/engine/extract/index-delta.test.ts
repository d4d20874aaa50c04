import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { repairDraft } from '../../../src/engine/context/view/repair.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { boundedFacts } from '../../../src/engine/extract/bounded-facts.ts'
import { openErrors } from '../../../src/engine/extract/error-state.ts'
import { indexDelta } from '../../../src/engine/extract/index-delta.ts'
import { legalCuts } from '../../../src/engine/plan/cut-rules.ts'
import { mergeIndexes, todosOf } from '../../../src/model/facts/log-index.ts'
import type { Message, ToolResultOutput } from '../../../src/model/types.ts'
import { history } from '../../support/arbitrary-history.ts'
import { full } from '../../support/full.ts'
import { assistant, call, user } from '../../support/messages.ts'
import { recordText } from '../../support/record.ts'

let ids = 0
/** A call and what came back. */
function step(toolName: string, input: unknown, value = 'ok', type: 'text' | 'error-text' = 'text'): Message[] {
  const id = `call-${ids++}`
  const output: ToolResultOutput = { type, value }
  return [
    call(id, toolName, input),
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName, output }] },
  ]
}
const run = (command: string, output = '', exit = 0) =>
  step('bash', { command }, exit === 0 ? `${output}\nexit code: 0` : `${output}\nexit code: ${exit}`)
const delta = (...messages: Message[]) => indexDelta(viewOf(logOf(messages)).items.slice())
const files = (access: 'read' | 'modified', ...messages: Message[]) =>
  (delta(...messages).files ?? []).filter((file) => file.access === access).map((file) => file.path)

describe('the files of a span', () => {
  it('come from tools that read and write them', () => {
    const messages = [
      ...step('read', { path: 'a.ts' }),
      ...step('write', { path: 'b.ts' }),
      ...step('Edit', { file_path: 'c.ts' }),
    ]
    expect(files('read', ...messages)).toEqual(['a.ts'])
    expect(files('modified', ...messages)).toEqual(['b.ts', 'c.ts'])
  })

  it('come from the shell too', () => {
    const messages = [...run('cat src/a.ts'), ...run("sed -i 's/a/b/' src/b.ts"), ...run('echo hello > out/c.txt')]
    expect(files('read', ...messages)).toEqual(['src/a.ts'])
    expect(files('modified', ...messages)).toEqual(['src/b.ts', 'out/c.txt'])
  })

  it('are modified once they were, whatever reads them later', () => {
    const messages = [...step('write', { path: 'a.ts' }), ...step('read', { path: 'a.ts' })]
    expect(delta(...messages).files).toEqual([{ path: 'a.ts', access: 'modified', seq: 3, modified: 1 }])
  })

  it('are not those of a call that was refused', () => {
    expect(files('modified', ...step('write', { path: 'a.ts' }, 'permission denied', 'error-text'))).toEqual([])
  })

  it('are those of a call that still waits for its result', () => {
    expect(files('read', user('go'), call('open', 'read', { path: 'a.ts' }))).toEqual(['a.ts'])
  })
})

describe('the commands of a span', () => {
  it('have how often they ran and how the last run ended', () => {
    const { commands } = delta(...run('npm test', 'Error: no', 1), ...run('npm run build'), ...run('npm test'))
    expect(commands).toEqual([
      { command: 'npm test', seq: 5, runs: 2, ok: true, exit: 0 },
      { command: 'npm run build', seq: 3, runs: 1, ok: true, exit: 0 },
    ])
  })

  it('have no outcome if the result shows none', () => {
    const input = { command: 'ls', description: 'Lists files' }
    expect(delta(...step('bash', input, 'a b c')).commands).toEqual([{ command: 'ls', seq: 1, runs: 1 }])
  })

  it('ended well if their agent reports a status only when they fail', () => {
    for (const name of ['Bash', 'bash', 'run_shell_command'])
      expect(delta(...step(name, { command: 'ls' }, 'a b c')).commands).toMatchObject([{ command: 'ls', ok: true }])
  })
})

describe('the errors of a span', () => {
  it('have their own lines, the command and the entry of the result', () => {
    const { errors } = delta(...run('npm test', 'ok 1\nTypeError: x is not a function\n    at a.ts:3', 2))
    expect(errors).toMatchObject([
      { seq: 2, command: 'npm test', text: expect.stringContaining('TypeError: x is not') },
    ])
  })

  it('of a tool that is not a command name the tool', () => {
    const { errors } = delta(...step('edit', { path: 'a.ts' }, 'Error: the text was not found', 'error-text'))
    expect(errors).toMatchObject([{ command: 'edit', text: 'Error: the text was not found' }])
  })

  it('of a tool that works on a file are over when that file is written', () => {
    const failed = step('edit', { path: 'src/a.ts' }, 'Error: the text was not found', 'error-text')
    const missing = step('read', { path: 'src/new.ts' }, 'Error: there is no such file', 'error-text')
    const other = step('edit', { path: 'src/b.ts' }, 'Error: the text was not found', 'error-text')
    const open = (...messages: Message[]) => openErrors(mergeIndexes([delta(...messages)])).map(({ path }) => path)
    expect(open(...failed, ...missing, ...other)).toEqual(['src/a.ts', 'src/new.ts', 'src/b.ts'])
    const written = ['src/a.ts', 'src/new.ts'].flatMap((path) => step('write', { path, content: 'x' }))
    expect(open(...failed, ...missing, ...other, ...written)).toEqual(['src/b.ts'])
    expect(open(...written, ...failed)).toEqual(['src/a.ts'])
  })

  it('are listed once, at their last place', () => {
    const { errors } = delta(...run('npm test', 'Error: no', 1), ...run('npm test', 'Error: no', 1))
    expect(errors).toMatchObject([{ seq: 4 }])
  })
})

describe('the to-dos of a span', () => {
  const todos = (...messages: Message[]) => todosOf({ todos: delta(...messages).todos ?? [] })

  it('are the list as last written', () => {
    const first = step('TodoWrite', { todos: [{ content: 'a', status: 'pending' }] })
    const last = step('TodoWrite', {
      todos: [
        { content: 'b', status: 'completed' },
        { content: 'c', status: 'in_progress' },
      ],
    })
    expect(todos(...first, ...last)).toEqual([
      { text: 'b', status: 'done' },
      { text: 'c', status: 'in-progress' },
    ])
  })

  it('have single changes applied', () => {
    const messages = [
      ...step('TaskCreate', { subject: 'write it' }, 'Task #7 created successfully'),
      ...step('TaskCreate', { subject: 'test it' }, 'Task #8 created successfully'),
      ...step('TaskUpdate', { taskId: '7', status: 'completed' }),
    ]
    expect(todos(...messages)).toEqual([
      { text: 'write it', status: 'done' },
      { text: 'test it', status: 'pending' },
    ])
  })

  it('that change over several spans are those of the whole', () => {
    const before = delta(...step('todo', { items: [{ content: 'a' }, { content: 'b' }] }))
    const after = delta(...step('TaskUpdate', { taskId: '2', status: 'completed' }))
    expect(todosOf(mergeIndexes([before, after]))).toEqual([
      { text: 'a', status: 'pending' },
      { text: 'b', status: 'done' },
    ])
  })
})

describe('what the user said in a span', () => {
  it('is there verbatim', () => {
    expect(delta(user('  build it\n\nplease '), assistant('yes')).users).toEqual([
      { seq: 1, text: '  build it\n\nplease ' },
    ])
  })

  it('is kept only up to what an index shows, with the number of messages left out', () => {
    const long = (i: number) => user(`${i} `.padEnd(40_000, 'word '))
    const said = delta(user('first'), long(1), long(2), long(3), long(4))
    expect(said.users?.map(({ seq }) => seq)).toEqual([1, 4, 5])
    expect(said.leftOut).toMatchObject({ users: 2 })
    expect(mergeIndexes([said, delta(user('next'))]).leftOut).toMatchObject({ users: 2 })
    const stored = boundedFacts(said, 10_000)
    expect((stored.users?.length ?? 0) + (stored.leftOut?.users ?? 0)).toBe(5)
  })

  it('is searched for constraints, sentence by sentence, and a question is none', () => {
    const { constraints } = delta(
      user('Add a cache. Never write to the disk. Must it be fast?\n- Only use the standard library.'),
    )
    expect(constraints).toEqual([
      { text: 'Never write to the disk.', seq: 1 },
      { text: 'Only use the standard library.', seq: 1 },
    ])
  })

  it('sets no constraint by what is pasted as code or output', () => {
    const pasted = '```\n// never call this twice\n```\nat never (a.ts:1)\n2024-01-01 must not happen'
    expect(delta(user(`fix this:\n${pasted}`)).constraints).toBeUndefined()
  })

  it('sets a constraint once, at its last mention', () => {
    const { constraints } = delta(user('Never push to main.'), assistant('no'), user('Never push to main.'))
    expect(constraints).toEqual([{ text: 'Never push to main.', seq: 3 }])
  })

  it('is searched for names that have to be right to the letter', () => {
    const { identifiers } = delta(
      user('See https://example.com/a?b=1, port 8443, v1.22.3, commit 9f8e7d6c5b and #412 or ABC-17.'),
    )
    expect(identifiers?.map(({ kind, text }) => [kind, text])).toEqual([
      ['url', 'https://example.com/a?b=1'],
      ['port', '8443'],
      ['version', 'v1.22.3'],
      ['hash', '9f8e7d6c5b'],
      ['issue', '#412'],
      ['issue', 'ABC-17'],
    ])
  })

  it('keeps the names that an agent says, with in how many messages it said them', () => {
    const { identifiers } = delta(
      assistant('`loadInvoice` reads src/invoiceCache.ts; see https://example.com/a and PR #12.'),
      assistant('Fixed loadInvoice in 9f8e7d6c5b, released as 1.2.3. The MAX_ROWS limit stays.'),
    )
    expect(identifiers?.map(({ text, times = 1 }) => [text, times])).toEqual([
      ['https://example.com/a', 1],
      ['loadInvoice', 2],
      ['1.2.3', 1],
      ['9f8e7d6c5b', 1],
      ['MAX_ROWS', 1],
    ])
  })

  it('keeps the names of code that was written, and none of code that could not be or was only read', () => {
    const { identifiers } = delta(
      ...step('Edit', { file_path: 'src/a.ts', old_string: 'x', new_string: 'const fullName = joinNames(first_name)' }),
      ...step('Write', { file_path: 'src/b.ts', content: 'neverWritten()' }, '<tool_use_error>no</tool_use_error>'),
      ...step('Read', { file_path: 'src/c.ts' }, 'onlyRead()'),
    )
    expect(identifiers?.map(({ text }) => text)).toEqual(['fullName', 'joinNames', 'first_name'])
  })

  it('is not searched in the output of tools, except in their errors', () => {
    const { identifiers } = delta(
      ...run('cat log', 'https://example.com/fine'),
      ...run('curl', 'Error: https://example.com/bad', 7),
    )
    expect(identifiers?.map(({ text }) => text)).toEqual(['https://example.com/bad'])
  })
})

describe('the index of several spans', () => {
  it('is that of the whole, wherever it was legally cut', () => {
    let cuts = 0
    fc.assert(
      fc.property(history, fc.nat(), (messages, nth) => {
        const log = logOf(messages)
        const repair = repairDraft(viewOf(log).items.slice())
        const view = viewOf(repair === undefined ? log : appended(log, [repair]))
        const items = view.items.slice()
        const legal = legalCuts(view)
        const places = items.flatMap((_, i) => (i > 0 && legal(i) ? [i] : []))
        if (places.length === 0) return
        cuts++
        const cut = places[nth % places.length] ?? 0
        const parts = [items.slice(0, cut), items.slice(cut)].map((part) => indexDelta(part))
        const whole = mergeIndexes([indexDelta(items)])
        // Of more than an index ever shows only the newest is kept, of each span.
        if (whole.leftOut !== undefined) return
        expect(mergeIndexes(parts)).toEqual(whole)
        for (const room of [0, 200, 100_000])
          expect(recordText({ index: mergeIndexes(parts), room })).toBe(recordText({ index: whole, room }))
      }),
      { numRuns: full ? 5_000 : 60 },
    )
    expect(cuts).toBeGreaterThan(full ? 100 : 40)
  })

  it('goes by when things happened, not by when they were compacted', () => {
    const early = { todos: [{ kind: 'list' as const, seq: 2, items: [{ text: 'old', status: 'pending' as const }] }] }
    const late = { todos: [{ kind: 'list' as const, seq: 9, items: [{ text: 'new', status: 'pending' as const }] }] }
    // A pinned step leaves the view after the messages that followed it.
    expect(todosOf(mergeIndexes([late, early]))).toEqual([{ text: 'new', status: 'pending' }])
    const red = { commands: [{ command: 'npm test', seq: 2, runs: 1, ok: false, exit: 1 }] }
    const green = { commands: [{ command: 'npm test', seq: 9, runs: 1, ok: true, exit: 0 }] }
    expect(mergeIndexes([green, red]).commands).toEqual([{ command: 'npm test', seq: 9, runs: 2, ok: true, exit: 0 }])
    const written = { files: [{ path: 'a.ts', access: 'modified' as const, seq: 9, modified: 9 }] }
    const before = { files: [{ path: 'a.ts', access: 'modified' as const, seq: 2, modified: 2 }] }
    expect(mergeIndexes([written, before]).files).toEqual([{ ...written.files[0], first: 2 }])
  })
})

it('a check with exit code 0 after a filter that counts failures has failed, by its own lines', () => {
  const output = '✗ uploads a file\nError: the page was closed\n1 failed'
  const { errors = [] } = delta(...run('npx playwright test upload.spec.ts | tail -50', output))
  expect(errors.map(({ text, command }) => ({ text, command }))).toEqual([
    { text: expect.stringContaining('Error: the page was closed'), command: expect.stringContaining('playwright') },
  ])
  expect(delta(...run('npm test | tail', '12 passed')).errors ?? []).toEqual([])
})
